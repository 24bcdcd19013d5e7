import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { dedupeJson, dedupeLines, dedupeRows, NotJson } from '../../src/index.ts'
import { referenceAnswer } from '../reference/request.ts'
import { anyRequest } from '../support/arbitraries.ts'

describe('one call does what the API does', () => {
  test('lines, rows and items, as text and as bytes', () => {
    fc.assert(
      fc.property(anyRequest, ({ question: { mode, options }, data }) => {
        const reference = referenceAnswer(data, { mode, options } as Parameters<typeof referenceAnswer>[1])
        const { kept, removed, survivorOf } = reference
        const expected = { kept, removed, survivorOf: Int32Array.from(survivorOf) }
        const text = mode === 'json' ? data : String(JSON.parse(data))
        const result: unknown = mode === 'json' ? reference.result : JSON.parse(reference.result)
        const dedupe = (list: string | Uint8Array) => {
          if (mode === 'lines') return dedupeLines(list, options)
          return mode === 'json' ? dedupeJson(list, options) : dedupeRows(list, { ...options, fuzzy: false })
        }
        expect(dedupe(text)).toEqual({ result, ...expected })
        if (!/\p{Surrogate}/u.test(text)) expect(dedupe(Buffer.from(text))).toEqual({ result, ...expected })
      }),
      { numRuns: runs(1_000) },
    )
  })

  describe('of more items than are judged at a time', async () => {
    // Each third item repeats an item of the first third.
    const items = Array.from({ length: 5_000 }, (_, n) => (n % 3 === 2 ? `word ${n >> 2}` : `word ${n} of 5000`))
    const survivorOf = items.map((item) => items.indexOf(item))
    const survivors = items.filter((_, n) => survivorOf[n] === n)
    const [kept, removed] = [survivors.length, items.length - survivors.length]
    const text = items.join('\n')
    test.each([
      { name: 'lines', answer: dedupeLines(text), result: survivors },
      { name: 'rows', answer: dedupeRows(text, { hasHeader: false }), result: survivors.join('\n') },
      {
        name: 'fuzzy rows',
        answer: await dedupeRows(text, { hasHeader: false, fuzzy: true, threshold: 1 }),
        result: survivors.join('\n'),
      },
      { name: 'JSON', answer: dedupeJson(JSON.stringify(items)), result: JSON.stringify(survivors) },
    ])('$name', ({ answer, result }) => {
      expect(answer).toEqual({ result, kept, removed, survivorOf: Int32Array.from(survivorOf) })
    })
  })

  test('without options', () => {
    expect(dedupeLines('b\na\nb').result).toEqual(['b', 'a'])
    expect(dedupeRows('h\n1\n1').result).toBe('h\n1')
    expect(dedupeJson('[9007199254740993, 9007199254740992, 9007199254740993]').result).toBe(
      '[9007199254740993,9007199254740992]',
    )
    expect(dedupeLines('')).toEqual({ result: [''], kept: 1, removed: 0, survivorOf: Int32Array.of(0) })
    expect(dedupeRows('').result).toBe('')
  })

  test('surrogates that are not escaped mean what their escapes mean', () => {
    const lone = fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', '\ufffd', 'a', '"', '\\', '\n')
    const text = fc.array(lone, { maxLength: 3 }).map((units) => units.join(''))
    fc.assert(
      fc.property(fc.array(fc.record({ 'k\ud800': text, v: text })), (items) => {
        const escaped = JSON.stringify(items)
        const raw = escaped.replace(/\\u(d[89a-f]..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
        for (const key of ['', 'v', 'k\ud800']) expect(dedupeJson(raw, { key })).toEqual(dedupeJson(escaped, { key }))
      }),
      { numRuns: runs(500) },
    )
    expect(dedupeJson('["\ud800","\ud801"]').result).toBe(String.raw`["\ud800","\ud801"]`)
  })

  test.each<{ name: string; text: string; dedupe: (bytes: Uint8Array) => unknown }>([
    { name: 'lines', text: 'a\na', dedupe: dedupeLines },
    { name: 'rows', text: 'h\na\na', dedupe: (bytes) => dedupeRows(bytes) },
    { name: 'fuzzy rows', text: 'h\na\na', dedupe: (bytes) => dedupeRows(bytes, { fuzzy: true }) },
    { name: 'JSON', text: '[1,1]', dedupe: dedupeJson },
  ])('the given bytes and those around them are not modified: $name', async ({ text, dedupe }) => {
    // Small Buffers of Node.js share their memory.
    const memory = new Uint8Array(1_000).fill(1)
    const bytes = Buffer.from(memory.buffer, 500, text.length)
    bytes.write(text)
    const before = memory.slice()
    const given = dedupe(bytes)
    bytes.fill(2)
    expect(await given).toEqual(await dedupe(Buffer.from(text)))
    bytes.write(text)
    expect(memory).toEqual(before)
  })

  test.each([dedupeLines, dedupeRows, dedupeJson])('%o takes nothing but a string or a Uint8Array', (dedupe) => {
    const others = [new ArrayBuffer(3), new Uint16Array([97, 353]), new DataView(new ArrayBuffer(3)), ['a'], 5, null]
    for (const list of [...others, undefined])
      expect(() => Reflect.apply(dedupe, undefined, [list])).toThrow(
        new TypeError('the list must be a string or a Uint8Array'),
      )
  })

  test('fuzzy rows, which load the matcher first', async () => {
    const csv = 'name\nJohn Smith\nSmith, John\nJane Doe\nsmith john'
    const { result, survivorOf } = await dedupeRows(csv, { fuzzy: true, threshold: 0.9 })
    expect(result).toBe('name\nJohn Smith\nJane Doe')
    expect([...survivorOf]).toEqual([0, 0, 2, 0])
  })

  test.each([
    {
      name: 'bytes that are not UTF-8',
      csv: Buffer.from('M\xfcller\nM\xf6ller\nm\xfcller\nM\xef\xbf\xbdller', 'latin1'),
    },
    {
      name: 'a byte and the surrogate that stands for it, encoded',
      csv: Buffer.from('M\xed\xb2\x80ller\nM\x80ller\nm\xed\xb2\x80ller\nM\xed\xb2\x81ller', 'latin1'),
    },
    { name: 'lone surrogates', csv: 'M\ud800ller\nM\udcfcller\nm\ud800ller\nM\ufffdller' },
  ])('fuzzy rows: $name differ', async ({ csv }) => {
    const { survivorOf } = await dedupeRows(csv, { fuzzy: true, threshold: 1, hasHeader: false })
    expect([...survivorOf]).toEqual([0, 1, 0, 3])
  })
})

describe('the error for text that is not a JSON array names line and column', () => {
  test.each([
    { json: '[1,\n x]', message: 'line 2, column 2: unexpected x' },
    { json: '[1', message: 'line 1, column 3: the array does not end' },
    { json: '[1 2]', message: 'line 1, column 4: unexpected 2' },
    { json: '[1],"data":[2]', message: 'line 1, column 4: unexpected ,' },
    { json: ' {"a":1}', message: 'line 1, column 2: this is not an array' },
    { json: '["\\\ud800"]', message: 'line 1, column 4: unexpected byte 0xef' },
    { json: '', message: 'line 1, column 1: the array does not end' },
  ])('$json', ({ json, message }) => {
    for (const text of [json, Buffer.from(json)]) {
      expect(() => dedupeJson(text)).toThrow(expect.objectContaining({ message }))
      expect(() => dedupeJson(text)).toThrow(NotJson)
    }
    expect(dedupeJson('[1,1]').result).toBe('[1]')
  })

  test('a lone surrogate outside a string', () =>
    expect(() => dedupeJson('[1,\n\ud800]')).toThrow('line 2, column 1: unexpected'))
})
