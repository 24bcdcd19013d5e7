/** The package's folder: code of any depth, from source, compiled or bundled, finds its files by this. */
export const PACKAGE: URL = new URL('../', import.meta.url)
