/** Whether a WebAssembly module exports a function under each of these names. */
export function hasExports(exports: object, names: readonly string[]): boolean {
  const functions: Readonly<Record<string, unknown>> = { ...exports }
  return names.every((name) => typeof functions[name] === 'function')
}
