import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { InvalidInputError, Keepfirst, KeepfirstError, NotFoundError } from '../src/index.ts'
import { answer, type ScriptedServer, startScriptedServer } from './support/scripted-server.ts'

/*
 * Input that cannot be sent without loss is not sent at all, and the error names its position.
 */

let server: ScriptedServer
let client: Keepfirst
beforeAll(async () => {
  server = await startScriptedServer()
  client = new Keepfirst({ baseUrl: server.baseUrl })
})
afterAll(() => server.close())
beforeEach(() => server.play(answer(200, { result: [], kept: 0, removed: 0 })))

async function refusalOf(call: () => Promise<unknown>): Promise<KeepfirstError> {
  const failure = await call().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(failure).toBeInstanceOf(InvalidInputError)
  expect(failure).toBeInstanceOf(KeepfirstError)
  expect(server.received).toEqual([])
  if (failure instanceof KeepfirstError) return failure
  throw new Error('not reached')
}

/** The client as an untyped caller sees it. */
const untyped = (): Record<
  'lines' | 'rows' | 'json' | 'jsonText' | 'validate',
  (...args: unknown[]) => Promise<unknown>
> => Object(client)

const circular: { self?: unknown } = {}
circular.self = { in: [circular] }
const deeplyNested = (): unknown => {
  let value: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  return value
}

describe('json: what JSON cannot represent is rejected with its path', () => {
  test.each([
    { items: [{ id: 1n }], says: 'items[0].id is a BigInt; jsonText takes numbers as text and keeps every digit' },
    { items: [1, Number.NaN], says: 'items[1] is NaN, which JSON cannot represent' },
    { items: [[Number.POSITIVE_INFINITY]], says: 'items[0][0] is Infinity, which JSON cannot represent' },
    { items: [undefined], says: 'items[0] is undefined, which JSON cannot represent' },
    { items: [{ a: undefined }], says: 'items[0].a is undefined, which JSON cannot represent' },
    { items: new Array(2), says: 'items[0] is undefined, which JSON cannot represent' },
    { items: [{ f: () => 1 }], says: 'items[0].f is a function, which JSON cannot represent' },
    { items: [Symbol('s')], says: 'items[0] is a symbol, which JSON cannot represent' },
    { items: [new Map()], says: 'items[0] is a Map, which JSON cannot represent; send a plain object or text' },
    {
      items: [{ 'a b': new Set() }],
      says: 'items[0]["a b"] is a Set, which JSON cannot represent; send a plain object or text',
    },
    { items: [new Date(0)], says: 'items[0] is a Date, which JSON cannot represent; send a plain object or text' },
    { items: [/x/], says: 'items[0] is a RegExp, which JSON cannot represent; send a plain object or text' },
    {
      items: [new Uint8Array(1)],
      says: 'items[0] is a Uint8Array, which JSON cannot represent; send a plain object or text',
    },
    { items: [Object(1)], says: 'items[0] is a Number, which JSON cannot represent; send a plain object or text' },
    {
      items: [new (class Person {})()],
      says: 'items[0] is a Person, which JSON cannot represent; send a plain object or text',
    },
    { items: [{ toJSON: () => 1 }], says: 'items[0].toJSON is a function, which JSON cannot represent' },
    { items: [circular], says: 'items[0].self.in[0] is a circular reference' },
    { items: 'text', says: 'json takes an array of items' },
    { items: null, says: 'json takes an array of items' },
  ])('$says', async ({ items, says }) => {
    expect((await refusalOf(() => untyped().json(items))).message).toBe(says)
  })

  test('a getter that throws and values that are nested too deep reject the call as well', async () => {
    const items = [
      {
        get a(): number {
          throw new RangeError('mine')
        },
      },
    ]
    expect((await refusalOf(() => client.json(items))).cause).toEqual(new RangeError('mine'))
    expect((await refusalOf(() => untyped().json([deeplyNested()]))).message).toContain('jsonText')
  })

  test('the same object twice, an object without a prototype and any text are sent', async () => {
    const shared = { a: [] }
    const withoutPrototype = Object.assign(Object.create(null), { b: null })
    await untyped().json([shared, shared, withoutPrototype, 'a\0\ud800', -1.5e-7, false])
    expect(JSON.parse(server.received[0]?.body ?? '').data).toEqual([
      shared,
      shared,
      { b: null },
      'a\0\ud800',
      -1.5e-7,
      false,
    ])
  })

  test('the types allow exactly what JSON can represent', () => {
    interface Person {
      readonly id: number
      readonly tags?: readonly string[]
    }
    const people: readonly Person[] = [{ id: 1 }]
    const calls = [
      () => client.json(people) satisfies Promise<{ result: Person[] }>,
      () => client.json([1, 'a', null, { a: [true] }]),
      // @ts-expect-error: a BigInt
      () => client.json([{ id: 1n }]),
      // @ts-expect-error: a date
      () => client.json([{ when: new Date() }]),
      // @ts-expect-error: a map
      () => client.json([new Map([[1, 2]])]),
      // @ts-expect-error: a function
      () => client.json([{ f: () => 1 }]),
    ]
    expect(calls.length).toBe(6)
  })
})

describe('options and other methods', () => {
  test.each<{ name: string; call: () => Promise<unknown>; says: string }>([
    {
      name: 'an option',
      call: () => untyped().rows('a', { threshold: Number.NaN }),
      says: 'options.threshold is NaN, which JSON cannot represent',
    },
    { name: 'options', call: () => untyped().lines('a', null), says: 'options must be an object' },
    { name: 'options as an array', call: () => untyped().lines('a', []), says: 'options must be an object' },
    {
      name: 'options of a call',
      call: () => untyped().lines('a', {}, null),
      says: 'call options must be an object',
    },
    {
      name: 'a time limit',
      call: () => client.lines('a', {}, { timeoutMs: 0 }),
      says: 'timeoutMs must be more than 0',
    },
    { name: 'no lines', call: () => untyped().lines(), says: 'lines takes a string or an array of strings' },
    { name: 'a line that is not a string', call: () => untyped().lines(['a', 1]), says: 'lines[1] is not a string' },
    {
      name: 'LF in a line',
      call: () => client.lines(['a', 'b', 'c\nd']),
      says: 'lines[2] has a line break: it would become two lines',
    },
    {
      name: 'CR in a line',
      call: () => client.lines(['\r']),
      says: 'lines[0] has a line break: it would become two lines',
    },
    {
      name: 'rows that are not text',
      call: () => untyped().rows(7),
      says: 'rows takes a CSV string or an array of arrays of strings',
    },
    {
      name: 'a row that is not an array',
      call: () => untyped().rows([['a'], 'b']),
      says: 'rows[1] is not an array of strings',
    },
    {
      name: 'a cell that is a number',
      call: () => untyped().rows([['a'], ['b', 1]]),
      says: 'rows[1][1] is not a string; cells are text',
    },
    {
      name: 'a row without cells',
      call: () => client.rows([['a'], []]),
      says: "rows[1] has no cells; a row of one empty cell is ['']",
    },
    { name: 'addresses', call: () => untyped().validate('a@b.c'), says: 'validate takes an array of strings' },
    { name: 'an address', call: () => untyped().validate(['a@b.c', 1n]), says: 'emails[1] is not a string' },
    {
      name: 'JSON that is not text',
      call: () => untyped().jsonText([1]),
      says: 'jsonText takes the text of a JSON array',
    },
    {
      name: 'the first half of a surrogate pair in JSON text',
      call: () => client.jsonText('["\u{1f600}","\ud800"]'),
      says: String.raw`the lone surrogate at index 7 cannot be sent as UTF-8; write it as \ud800`,
    },
    {
      name: 'the second half, in the name of a member',
      call: () => client.jsonText('[{"\udfff":1}]'),
      says: String.raw`the lone surrogate at index 3 cannot be sent as UTF-8; write it as \udfff`,
    },
  ])('$name: $says', async ({ call, says }) => {
    expect((await refusalOf(call)).message).toBe(says)
  })

  test('lone surrogates are sent as escapes, and never replaced', async () => {
    const [one, two] = ['\ud800', 'a\udc00']
    const calls: readonly [call: () => Promise<unknown>, data: unknown][] = [
      [() => client.lines([one, two]), `${one}\n${two}`],
      [() => client.lines(one), one],
      [() => client.rows([[one], [two]]), `${one}\n${two}`],
      [() => client.json([one, { [two]: one }]), [one, { [two]: one }]],
      [() => client.jsonText(JSON.stringify([one, two])), [one, two]],
    ]
    for (const [call, data] of calls) {
      server.play(answer(200, { result: [], kept: 0, removed: 0 }))
      await call().catch(() => undefined)
      expect(JSON.parse(server.received.at(-1)?.body ?? '').data).toEqual(data)
    }
  })

  test('undefined options are not sent', async () => {
    await untyped().lines('a', { trim: undefined, ignoreCase: true })
    expect(server.received[0]?.body).toBe('{"mode":"lines","data":"a","options":{"ignoreCase":true}}')
  })
})

describe('settings', () => {
  test.each([undefined, null, {}, { baseUrl: undefined }])('new Keepfirst(%j) says what is missing', (settings) => {
    expect(() => Reflect.construct(Keepfirst, [settings])).toThrow(
      new InvalidInputError("new Keepfirst({ baseUrl }) needs the service's address"),
    )
  })

  test('the error for a 404 names the address and asks whether baseUrl is the root', async () => {
    server.play(answer(404, { error: 'not found' }))
    const wrong = new Keepfirst({ baseUrl: `${server.baseUrl}/api` })
    const failure = await wrong.lines('a').catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(NotFoundError)
    expect(failure).toMatchObject({
      status: 404,
      error: 'not found',
      message: `nothing at ${server.baseUrl}/api/api/dedupe; is baseUrl the root of the service?`,
    })
  })
})
