/** Every page: where it is served, and the file that it is built from. The last one is shown for unknown addresses. */
export const SITE = {
  home: { path: '/', file: 'index.html' },
  reference: { path: '/api', file: 'api/index.html' },
  recipes: { path: '/recipes', file: 'recipes/index.html' },
  keys: { path: '/app/keys', file: 'app/keys/index.html' },
  about: { path: '/about', file: 'about/index.html' },
  notFound: { path: null, file: '404.html' },
} as const

export type PageName = keyof typeof SITE
