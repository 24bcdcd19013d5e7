import { describe, expect, test } from 'vitest'
import { type DedupeStream, jsonStream, linesStream, rowsStream } from '../../src/index.ts'

async function piped(text: string, stream: DedupeStream): Promise<string> {
  const bytes = new Blob([text]).stream()
  return await new Response(bytes.pipeThrough(stream)).text()
}

describe('a stream of bytes without its duplicates', () => {
  test.each([
    { name: 'lines', stream: () => linesStream(), input: 'a\r\nb\r\na\r\n', output: 'a\r\nb\r\n' },
    { name: 'lines without case', stream: () => linesStream({ ignoreCase: true }), input: 'a\nA', output: 'a' },
    {
      name: 'rows by a column',
      stream: () => rowsStream({ keyColumns: [1] }),
      input: 'h,i\n1,x\n2,"x"\n',
      output: 'h,i\n1,x\n',
    },
    {
      name: 'rows that are alike',
      stream: () => rowsStream({ fuzzy: true }),
      input: 'h\nAda King\nking ada\n',
      output: 'h\nAda King\n',
    },
    { name: 'an array', stream: () => jsonStream(), input: '[1, 1.0, 2]', output: '[1, 2]' },
    {
      name: 'values by a path',
      stream: () => jsonStream({ key: 'a' }),
      input: '{"a":1}\n{"a":1,"b":2}\n',
      output: '{"a":1}\n',
    },
    { name: 'keys compared byte for byte', stream: () => linesStream({ exact: true }), input: 'a\na\n', output: 'a\n' },
  ])('$name', async ({ stream, input, output }) => {
    const made = stream()
    expect(await piped(input, made)).toBe(output)
    expect(made).toMatchObject({ kept: expect.any(Number), removed: 1 })
  })

  test('what is not JSON fails the stream', async () => {
    await expect(piped('[1,', jsonStream())).rejects.toThrow('the array does not end')
  })
})
