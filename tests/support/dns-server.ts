import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { type Socket as Connection, createServer, type Server } from 'node:net'

/*
 * A name server that can misbehave, on its own loopback port. It implements just enough of RFC 1035 to answer queries
 * for MX records, correctly or not.
 */

const NOERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3
const REFUSED = 5
const TYPE_MX = 15

/** How to answer a query. `truncated`: with the truncation bit over UDP, with records over TCP. */
export type Behaviour =
  | 'mx'
  | 'null mx'
  | 'null mx and mx'
  | 'nodata'
  | 'nxdomain'
  | 'servfail'
  | 'refused'
  | 'silence'
  | 'garbage'
  | 'wrong id'
  | 'other question'
  | 'incomplete'
  | 'empty'
  | 'truncated'
  | 'truncated, then disconnected'

/** What to do with the `nth` query (from 1) for a domain; `delayMs` delays the answer. */
export type Script = (
  domain: string,
  nth: number,
) => Behaviour | { readonly behaviour: Behaviour; readonly delayMs: number }

export interface DnsServer {
  /** In the form of `DNS_SERVERS`. */
  readonly address: string
  /** How often each domain was queried over UDP. */
  readonly queries: ReadonlyMap<string, number>
  /** Domains that were queried over TCP. */
  readonly tcpQueries: readonly string[]
  /** The largest number of queries that were waiting for a delayed answer at the same time. */
  readonly peakInFlight: number
  close(): Promise<void>
}

/** Starts a server; the script decides every answer. */
export async function startDnsServer(script: Script): Promise<DnsServer> {
  const server = new ScriptedServer(script)
  await server.listen()
  return server
}

interface Question {
  readonly id: number
  readonly domain: string
  /** The question section as received. */
  readonly section: Buffer
}

class ScriptedServer implements DnsServer {
  readonly queries: Map<string, number> = new Map()
  readonly tcpQueries: string[] = []
  peakInFlight = 0
  address = ''
  #held = 0
  readonly #script: Script
  readonly #udp: Socket = createSocket('udp4')
  readonly #tcp: Server
  readonly #connections = new Set<Connection>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(script: Script) {
    this.#script = script
    this.#udp.on('message', (message, peer) => this.#overUdp(message, peer))
    this.#tcp = createServer((connection) => this.#overTcp(connection))
  }

  /** Uses the same port for UDP and TCP, over which truncated answers are retried. */
  async listen(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => this.#tcp.listen(0, '127.0.0.1', resolve))
      const { port } = this.#tcp.address() as AddressInfo
      const bound = await new Promise<boolean>((resolve) => {
        this.#udp.once('error', () => resolve(false))
        this.#udp.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
      })
      if (bound) {
        this.address = `127.0.0.1:${port}`
        this.#udp.setRecvBufferSize(4 * 1_024 * 1_024)
        return
      }
      await new Promise((resolve) => this.#tcp.close(resolve))
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const connection of this.#connections) connection.destroy()
    await new Promise<void>((resolve) => this.#udp.close(resolve))
    await new Promise((resolve) => this.#tcp.close(resolve))
  }

  #overUdp(message: Buffer, peer: RemoteInfo): void {
    const question = readQuestion(message)
    const nth = (this.queries.get(question.domain) ?? 0) + 1
    this.queries.set(question.domain, nth)
    const scripted = this.#script(question.domain, nth)
    const { behaviour, delayMs } = typeof scripted === 'string' ? { behaviour: scripted, delayMs: 0 } : scripted
    const answer = answerTo(question, behaviour)
    if (answer === undefined) return
    if (delayMs === 0) this.#udp.send(answer, peer.port, peer.address)
    else this.#later(delayMs, () => this.#udp.send(answer, peer.port, peer.address))
  }

  #later(delayMs: number, send: () => void): void {
    this.peakInFlight = Math.max(this.peakInFlight, ++this.#held)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#held--
      send()
    }, delayMs)
    this.#timers.add(timer)
  }

  #overTcp(connection: Connection): void {
    this.#connections.add(connection)
    connection.on('error', () => connection.destroy())
    connection.on('data', (data) => {
      const question = readQuestion(data.subarray(2))
      this.tcpQueries.push(question.domain)
      const scripted = this.#script(question.domain, this.queries.get(question.domain) ?? 1)
      if ((typeof scripted === 'string' ? scripted : scripted.behaviour) === 'truncated, then disconnected') {
        connection.destroy()
        return
      }
      const answer = message(question, NOERROR, mxRecords(40))
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answer.length)
      connection.write(Buffer.concat([length, answer]))
    })
  }
}

function readQuestion(message: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    id: message.readUInt16BE(0),
    domain: labels.join('.').toLowerCase(),
    section: message.subarray(12, at + 5),
  }
}

function answerTo(question: Question, behaviour: Behaviour): Buffer | undefined {
  switch (behaviour) {
    case 'mx':
      return message(question, NOERROR, mxRecords(1))
    case 'null mx':
      return message(question, NOERROR, [mxRecord(0, '')])
    case 'null mx and mx':
      return message(question, NOERROR, [mxRecord(0, ''), ...mxRecords(1)])
    case 'nodata':
      return message(question, NOERROR, [])
    case 'nxdomain':
      return message(question, NXDOMAIN, [])
    case 'servfail':
      return message(question, SERVFAIL, [])
    case 'refused':
      return message(question, REFUSED, [])
    case 'silence':
      return undefined
    case 'garbage':
      return Buffer.from('this is not an answer of a name server')
    case 'empty':
      return Buffer.alloc(0)
    case 'wrong id':
      return message({ ...question, id: question.id ^ 0xffff }, NXDOMAIN, [])
    case 'other question':
      return message({ ...question, section: nameOf('elsewhere.example', TYPE_MX) }, NXDOMAIN, [])
    case 'incomplete':
      return message(question, NOERROR, mxRecords(1)).subarray(0, -4)
    case 'truncated':
    case 'truncated, then disconnected':
      return message(question, NOERROR, [], { truncated: true })
  }
}

function message(question: Question, code: number, records: readonly Buffer[], { truncated = false } = {}): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(question.id, 0)
  header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | code, 2) // a recursive answer
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question.section, ...records])
}

function mxRecords(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => mxRecord(10 + i, `mail${i}.example.org`))
}

/** An MX record whose name points to the question; an empty exchange is the root. */
function mxRecord(preference: number, exchange: string): Buffer {
  const fixed = Buffer.alloc(14)
  const name = encodeName(exchange)
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(TYPE_MX, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(60, 6)
  fixed.writeUInt16BE(2 + name.length, 10)
  fixed.writeUInt16BE(preference, 12)
  return Buffer.concat([fixed, name])
}

function encodeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ])
}

function nameOf(name: string, type: number): Buffer {
  return Buffer.concat([encodeName(name), Buffer.from([0, type, 0, 1])])
}
