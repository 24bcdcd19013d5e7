/** Are all of these names functions among what a WebAssembly module exports? */
export function hasExports(exports: object, names: readonly string[]): boolean {
  const functions: Readonly<Record<string, unknown>> = { ...exports }
  return names.every((name) => typeof functions[name] === 'function')
}
