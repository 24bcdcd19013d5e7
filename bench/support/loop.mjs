/*
 * Measures how long single turns block the event loop. Preloaded into a process with an IPC channel; it starts
 * measuring on the message `begin` and sends its results on `end`.
 */
import { readFileSync } from 'node:fs'

process.on('message', (message) => {
  if (message === 'begin') watch()
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
 * The longest turn in milliseconds, and the longest in CPU time: the difference was spent waiting for a core that other
 * processes were using.
 */
export function seen() {
  clearInterval(timer)
  return longest
}

/** CPU time of this thread in milliseconds, as Linux counts it: in ticks of up to 4 ms. */
function computedMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}
