import { BroadcastChannel } from 'node:worker_threads'
import { Stopped } from '@keepfirst/engine/request'
import { createTasks } from '../../dist/compute/tasks.js'

/*
 * A worker thread whose requests determine what it does, as `{ name, is, does, padding }`: `is` is exact, fuzzy or
 * refused, and `does` names one of the actions below. It announces the name of each request whose action begins.
 */

const events = new BroadcastChannel('compute-worker')
events.unref()

const actions = {
  answer: ({ name }) => answer(name),
  obey: (_, shouldStop) => {
    while (!shouldStop());
    throw new Stopped()
  },
  ignore: () => {
    for (;;);
  },
  fail: () => {
    throw new Error('as asked')
  },
  exhaust: () => {
    const heap = []
    for (;;) heap.push(Array.from({ length: 1_000 }, () => ({})))
  },
}

function answer(name) {
  return { body: new TextEncoder().encode(name), kept: 1, removed: 0 }
}

function parseRequest(body) {
  const request = JSON.parse(new TextDecoder().decode(body))
  if (request.is === 'refused') return { kind: 'refusal', status: 400, body: { error: request.name } }
  const question = { mode: 'rows', options: { fuzzy: request.is === 'fuzzy' } }
  return { kind: 'parsed', question, rows: 1, data: { count: 1, bytes: new Uint8Array(body) } }
}

function runRequest({ bytes }, _question, { shouldStop }) {
  const request = JSON.parse(new TextDecoder().decode(bytes))
  events.postMessage(request.name)
  return actions[request.does](request, shouldStop)
}

function parseEmails() {
  throw new Error('not expected')
}

export const { parse, emails, run } = createTasks({ parseRequest, runRequest, parseEmails })
