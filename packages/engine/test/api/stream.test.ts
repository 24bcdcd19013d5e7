import { describe, expect, test } from 'vitest'
import { type DedupeStream, jsonStream, linesStream, rowsStream } from '../../src/index.ts'

async function piped(text: string, stream: DedupeStream): Promise<string> {
  const bytes = new Blob([text]).stream()
  return await new Response(bytes.pipeThrough(stream)).text()
}

describe('a byte stream without duplicates', () => {
  test.each([
    { name: 'lines', stream: () => linesStream(), input: 'a\r\nb\r\na\r\n', output: 'a\r\nb\r\n', kept: 2 },
    {
      name: 'lines without case',
      stream: () => linesStream({ ignoreCase: true }),
      input: 'a\nA',
      output: 'a',
      kept: 1,
    },
    {
      name: 'rows by a column',
      stream: () => rowsStream({ keyColumns: [1] }),
      input: 'h,i\n1,x\n2,"x"\n',
      output: 'h,i\n1,x\n',
      kept: 1,
    },
    {
      name: 'similar rows',
      stream: () => rowsStream({ fuzzy: true }),
      input: 'h\nAda King\nking ada\n',
      output: 'h\nAda King\n',
      kept: 1,
    },
    { name: 'an array', stream: () => jsonStream(), input: '[1, 1.0, 2]', output: '[1, 2]', kept: 2 },
    {
      name: 'values by a path',
      stream: () => jsonStream({ key: 'a' }),
      input: '{"a":1}\n{"a":1,"b":2}\n',
      output: '{"a":1}\n',
      kept: 1,
    },
    {
      name: 'keys compared byte for byte',
      stream: () => linesStream({ exact: true }),
      input: 'a\na\n',
      output: 'a\n',
      kept: 1,
    },
  ])('$name', async ({ stream, input, output, kept }) => {
    const deduplicator = stream()
    expect(deduplicator).toMatchObject({ kept: 0, removed: 0 })
    expect(await piped(input, deduplicator)).toBe(output)
    expect(deduplicator).toMatchObject({ kept, removed: 1 })
  })

  test.each([
    { name: 'lines', stream: () => linesStream() },
    { name: 'similar rows', stream: () => rowsStream({ fuzzy: true }) },
  ])('a Buffer can be reused once it is written: $name', async ({ stream }) => {
    const deduplicator = stream()
    const output = new Response(deduplicator.readable).text()
    const writer = deduplicator.writable.getWriter()
    const buffer = Buffer.alloc(4)
    for (const text of ['h\na\n', 'b\nc\n', 'a\nd\n']) {
      buffer.write(text)
      await writer.write(buffer)
    }
    await writer.close()
    expect(await output).toBe('h\na\nb\nc\nd\n')
  })

  test.each([
    { chunk: new ArrayBuffer(3) },
    { chunk: new Uint16Array([97, 353]) },
    { chunk: new DataView(new ArrayBuffer(3)) },
    { chunk: 'a' },
    { chunk: [97] },
  ])('chunks that are not a Uint8Array fail the stream: $chunk', async ({ chunk }) => {
    const chunks = new ReadableStream({ start: (controller) => controller.enqueue(chunk) })
    const output = new Response(chunks.pipeThrough(linesStream())).text()
    await expect(output).rejects.toThrow(new TypeError('a chunk must be a Uint8Array'))
  })

  test('input that is not JSON fails the stream', async () => {
    await expect(piped('[1,', jsonStream())).rejects.toThrow('the array does not end')
  })
})
