import { type Refusal, refuse } from '@keepfirst/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../src/compute/packed.ts'
import { type Emails, parseEmails as parse } from '../../src/compute/parse-emails.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function parseEmails(body: Uint8Array): Emails | Refusal {
  return parse(Uint8Array.from(body))
}

describe('4.5 the addresses of a body', () => {
  test.each([
    { name: 'as submitted', body: '{"emails":["a@b.example"," A@B "]}', emails: ['a@b.example', ' A@B '] },
    { name: 'none', body: '{"emails":[]}', emails: [] },
    { name: 'escapes decoded', body: String.raw`{"emails":["\u0061@b","\"\\\/\n"]}`, emails: ['a@b', '"\\/\n'] },
    { name: 'a lone surrogate', body: String.raw`{"emails":["\ud800@b"]}`, emails: ['\ud800@b'] },
    { name: 'a repeated member: the last one counts', body: '{"emails":["a"],"emails":["b"]}', emails: ['b'] },
    { name: 'the last one counts whatever came before', body: '{"emails":3,"emails":["b"]}', emails: ['b'] },
    { name: 'a name that is spelled with an escape', body: String.raw`{"\u0065mails":["b"]}`, emails: ['b'] },
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

test('packed addresses come out as they went in, and in parts as an array has them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(20), fc.nat(20), (emails, from, count) => {
      const unpacked = unpack(structuredClone(pack(emails)))
      expect(unpacked.length).toBe(emails.length)
      expect(unpacked.slice()).toEqual(emails)
      expect(unpacked.slice(from, from + count)).toEqual(emails.slice(from, from + count))
    }),
  )
})

test('more addresses than any plan takes are counted for the refusal, and not carried about', () => {
  const body = bytes(JSON.stringify({ emails: Array(25_001).fill('a@b') }))
  expect(parseEmails(body)).toEqual({ kind: 'emails', count: 25_001, emails: pack([]) })
})

describe('400, in this order: the body is not JSON; emails is not an array of strings', () => {
  test.each([
    { name: 'empty', body: bytes('') },
    { name: 'text', body: bytes('emails=a@b') },
    { name: 'cut short', body: bytes('{"emails":["a@b"') },
    { name: 'a comma too many', body: bytes('{"emails":["a@b",]}') },
    { name: 'single quotes', body: bytes("{'emails':[]}") },
    { name: 'something behind', body: bytes('{"emails":[]}x') },
    { name: 'a raw line break in a string', body: bytes('{"emails":["a\nb"]}') },
    { name: 'broken behind good addresses', body: bytes('{"emails":["a@b"],"x":tru}') },
    { name: 'bytes that are no UTF-8', body: Uint8Array.from([...bytes('{"emails":["'), 0xff, ...bytes('"]}')]) },
    { name: 'half a character', body: Uint8Array.from([...bytes('{"emails":["'), 0xc3, ...bytes('"]}')]) },
  ])('no JSON: $name', ({ body }) => expect(parseEmails(body)).toEqual(refuse.unparseableBody()))

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
  )('no array of strings: %s', (body) => {
    expect(parseEmails(bytes(body))).toEqual(refuse.badEmails())
  })
})
