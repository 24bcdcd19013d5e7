/** Names beyond ECMAScript that exist wherever the engine runs (Node, browsers, workers). */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}
declare function atob(base64: string): string
/** The part of Web Streams that the engine uses. */
interface TransformStreamDefaultController<Out> {
  enqueue(chunk: Out): void
}
interface ReadableStream<Out> {
  readonly locked: boolean
}
interface WritableStream<In> {
  readonly locked: boolean
}
declare class TransformStream<In, Out> {
  constructor(transformer: {
    start?(controller: TransformStreamDefaultController<Out>): Promise<void> | void
    transform(chunk: In, controller: TransformStreamDefaultController<Out>): void
    flush(controller: TransformStreamDefaultController<Out>): void
  })
  readonly readable: ReadableStream<Out>
  readonly writable: WritableStream<In>
}
/** The part of WebAssembly that loading a kernel needs. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, Memory | (() => void)>>)
    readonly exports: Record<string, unknown>
  }
}
