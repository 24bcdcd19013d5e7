/*
 * Measures how long single turns block the event loop. Preloaded into a process with an IPC channel; it starts
 * measuring on the message `begin` and sends its results on `end`.
 */
import { readFileSync } from 'node:fs'

process.on('message', (message) => {
  if (message === 'begin') startMeasuring()
  else process.send(stopMeasuring())
})
process.channel?.unref()

let timer
let longest

export function startMeasuring() {
  clearInterval(timer)
  longest = { blockedMs: 0, cpuMs: 0 }
  let last = { at: performance.now(), cpuMs: cpuTimeMs() }
  timer = setInterval(() => {
    const now = { at: performance.now(), cpuMs: cpuTimeMs() }
    const blockedMs = now.at - last.at - 1
    longest.blockedMs = Math.max(longest.blockedMs, blockedMs)
    longest.cpuMs = Math.max(longest.cpuMs, Math.min(blockedMs, now.cpuMs - last.cpuMs))
    last = now
  }, 1)
  timer.unref()
}

/**
 * The longest turn in milliseconds, and the longest in CPU time: the difference was spent waiting for a core that other
 * processes were using.
 */
export function stopMeasuring() {
  clearInterval(timer)
  return longest
}

/** CPU time of this thread in milliseconds, as Linux counts it: in ticks of up to 4 ms. */
function cpuTimeMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}
