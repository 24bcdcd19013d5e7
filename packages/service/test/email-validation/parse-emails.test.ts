import { type Refusal, refuse } from '@keepfirst/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../src/compute/packed.ts'
import { type Emails, parseEmails as parse } from '../../src/compute/parse-emails.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function parseEmails(body: Uint8Array): Emails | Refusal {
  return parse(Uint8Array.from(body))
}

describe('4.5 parsing of addresses', () => {
  test.each([
    { name: 'as submitted', body: '{"emails":["a@b.example"," A@B "]}', emails: ['a@b.example', ' A@B '] },
    { name: 'an empty list', body: '{"emails":[]}', emails: [] },
    { name: 'escapes', body: String.raw`{"emails":["\u0061@b","\"\\\/\n"]}`, emails: ['a@b', '"\\/\n'] },
    { name: 'a lone surrogate', body: String.raw`{"emails":["\ud800@b"]}`, emails: ['\ud800@b'] },
    { name: 'a repeated member: the last one counts', body: '{"emails":["a"],"emails":["b"]}', emails: ['b'] },
    { name: 'a repeated member whose first value is invalid', body: '{"emails":3,"emails":["b"]}', emails: ['b'] },
    { name: 'a name with an escape', body: String.raw`{"\u0065mails":["b"]}`, emails: ['b'] },
    { name: 'other members are ignored', body: '{"x":[{"emails":3}],"emails":["b"]}', emails: ['b'] },
    {
      name: 'nested as deep as the body allows',
      body: `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)},"emails":["b"]}`,
      emails: ['b'],
    },
    { name: 'white space between tokens', body: ' {\n"emails" : [ "b" , "c"\t] }\r\n', emails: ['b', 'c'] },
    { name: 'a byte-order mark', body: '\ufeff{"emails":["b"]}', emails: ['b'] },
  ])('$name', ({ body, emails }) =>
    expect(parseEmails(bytes(body))).toEqual({ kind: 'emails', count: emails.length, emails: pack(emails) }),
  )
})

test('packed addresses are unpacked unchanged, whole or in slices', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(20), fc.nat(20), (emails, from, count) => {
      const unpacked = unpack(structuredClone(pack(emails)))
      expect(unpacked.length).toBe(emails.length)
      expect(unpacked.slice()).toEqual(emails)
      expect(unpacked.slice(from, from + count)).toEqual(emails.slice(from, from + count))
    }),
  )
})

test('more addresses than any plan allows are counted but not kept', () => {
  const body = bytes(JSON.stringify({ emails: Array(25_001).fill('a@b') }))
  expect(parseEmails(body)).toEqual({ kind: 'emails', count: 25_001, emails: pack([]) })
})

describe('400, in this order: the body is not JSON; emails is not an array of strings', () => {
  test.each([
    { name: 'empty', body: bytes('') },
    { name: 'text', body: bytes('emails=a@b') },
    { name: 'truncated', body: bytes('{"emails":["a@b"') },
    { name: 'a comma too many', body: bytes('{"emails":["a@b",]}') },
    { name: 'single quotes', body: bytes("{'emails':[]}") },
    { name: 'text after the object', body: bytes('{"emails":[]}x') },
    { name: 'a raw line break in a string', body: bytes('{"emails":["a\nb"]}') },
    { name: 'a fault after valid addresses', body: bytes('{"emails":["a@b"],"x":tru}') },
    { name: 'bytes that are not UTF-8', body: Uint8Array.from([...bytes('{"emails":["'), 0xff, ...bytes('"]}')]) },
    { name: 'half of a character', body: Uint8Array.from([...bytes('{"emails":["'), 0xc3, ...bytes('"]}')]) },
  ])('not JSON: $name', ({ body }) => expect(parseEmails(body)).toEqual(refuse.unparseableBody()))

  test.each(
    [
      'null',
      '[]',
      '"a@b"',
      '3',
      '{}',
      '{"emails":null}',
      '{"emails":"a@b"}',
      '{"emails":{"0":"a@b"}}',
      '{"emails":[1]}',
    ].concat([
      '{"emails":["a@b",null]}',
      '{"emails":[["a@b"]]}',
      '{"emails":["a"],"emails":"b"}',
      '{"Emails":["a@b"]}',
    ]),
  )('not an array of strings: %s', (body) => {
    expect(parseEmails(bytes(body))).toEqual(refuse.badEmails())
  })
})
