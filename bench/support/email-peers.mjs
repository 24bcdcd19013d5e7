/*
 * Ways to find out which addresses have a mail exchanger. Each takes addresses and a name server (`address:port`, the
 * only one that is queried). It returns a function that counts the live addresses that it missed, so that counting is
 * not part of the measured work.
 */

import { deepStrictEqual } from 'node:assert'
import { promises as dns, Resolver, setServers } from 'node:dns'
import { validate } from 'deep-email-validator'
import validator from 'validator'
import { disposableDomains } from '../../packages/service/dist/email-validation/disposable.js'
import { MxResolver } from '../../packages/service/dist/email-validation/mx-resolver.js'
import { judge } from '../../packages/service/dist/email-validation/verdict.js'

/** Concurrent queries, the same for all. */
const CONCURRENCY = 300
const isDisposable = disposableDomains({ extra: [], except: [] })
const domainOf = (email) => email.slice(email.indexOf('@') + 1)
const isLive = (email) => domainOf(email).startsWith('live')

/** What the service does with the addresses of one request, from strings to the bytes of its answer. */
export async function keepfirst(emails, mx) {
  const answer = await judge(emails, { isDisposable, mx }, { deadlineMs: 20_000, signal: new AbortController().signal })
  return () => JSON.parse(answer).results.filter(({ email, mx }) => isLive(email) && mx !== true).length
}

/** Processes everything, a few at a time; counts live addresses that were not found to be live. */
async function runConcurrently(emails, find) {
  const waiting = [...emails]
  let missed = 0
  const worker = async () => {
    for (let email = waiting.pop(); email !== undefined; email = waiting.pop()) {
      if (!(await find(email)) && isLive(email)) missed++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return () => missed
}

/** Libraries use the name servers that are configured for the process. */
function queryOnly(server) {
  setServers([server])
  dns.setServers([server])
  deepStrictEqual(dns.getServers(), [server])
}

const hasMx = (email) =>
  dns.resolveMx(domainOf(email)).then(
    (records) => records.length > 0,
    () => false,
  )

export const PEERS = {
  Keepfirst: (emails, server) => keepfirst(emails, new MxResolver([server])),
  /** Looks up each domain once and does nothing else: the cost of a resolver per query. */
  'bare look-ups, one per domain, a resolver each': (emails, server) => {
    const one = new Map(emails.map((email) => [domainOf(email), email]))
    return runConcurrently(one.values(), (email) => {
      const resolver = new Resolver({ timeout: 1_000, tries: 1 })
      resolver.setServers([server])
      return new Promise((done) => resolver.resolveMx(domainOf(email), (error) => done(error === null)))
    })
  },
  'dns.resolveMx, all at once': async (emails, server) => {
    queryOnly(server)
    const found = await Promise.all(emails.map(hasMx))
    return () => emails.filter((email, i) => isLive(email) && !found[i]).length
  },
  'validator, then dns.resolveMx': (emails, server) => {
    queryOnly(server)
    return runConcurrently(emails, async (email) => validator.isEmail(email) && (await hasMx(email)))
  },
  'deep-email-validator without SMTP': (emails, server) => {
    queryOnly(server)
    const only = { validateTypo: false, validateSMTP: false }
    return runConcurrently(emails, async (email) => (await validate({ email, ...only })).valid)
  },
}
