/** Compiles a kernel from its base64 text, synchronously: the same in Node, in a worker and in a page. */
export function compile(base64: string): WebAssembly.Module {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new WebAssembly.Module(bytes)
}

/** Whether a WebAssembly module exports a function under each of these names. */
export function hasExports(exports: object, names: readonly string[]): boolean {
  const functions: Readonly<Record<string, unknown>> = { ...exports }
  return names.every((name) => typeof functions[name] === 'function')
}
