/*
 * How long one turn held the event loop. Preloaded into a process with an IPC channel, it watches from the message
 * `begin` on, and on `end` sends what it saw.
 */
import { readFileSync } from 'node:fs'

process.on('message', (word) => {
  if (word === 'begin') watch()
  else process.send(seen())
})
process.channel?.unref()

let timer
let longest

export function watch() {
  clearInterval(timer)
  longest = { heldMs: 0, oursMs: 0 }
  let last = { at: performance.now(), computed: computedMs() }
  timer = setInterval(() => {
    const now = { at: performance.now(), computed: computedMs() }
    const heldMs = now.at - last.at - 1
    longest.heldMs = Math.max(longest.heldMs, heldMs)
    longest.oursMs = Math.max(longest.oursMs, Math.min(heldMs, now.computed - last.computed))
    last = now
  }, 1)
  timer.unref()
}

/**
 * The longest turn in milliseconds, and the longest in which the thread had a core for this long: what is beyond, it
 * waited for one while others had them.
 */
export function seen() {
  clearInterval(timer)
  return longest
}

/** Milliseconds that this thread has had a core, as Linux counts them: in ticks of up to 4 ms. */
function computedMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}
