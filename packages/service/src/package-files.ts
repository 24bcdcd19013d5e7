/** The package's folder, by which code at any depth (source, compiled or bundled) finds its files. */
export const PACKAGE: URL = new URL('../', import.meta.url)
