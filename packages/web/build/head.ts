import type { Plugin } from 'vite'

/** The part of the head that all pages share; the rest is in each page's own file. */
const SHARED = `
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/src/shell/icon.svg" type="image/svg+xml" />
    <link rel="preload" href="/src/design/geist.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="preload" href="/src/design/geist-mono.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="/src/design/index.css" />`.trimStart()

/** Puts the shared part of the head in place of `<!--head-->`, before Vite resolves what the page loads. */
export function sharedHead(): Plugin {
  return {
    name: 'keepfirst:shared-head',
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace('<!--head-->', SHARED) },
  }
}
