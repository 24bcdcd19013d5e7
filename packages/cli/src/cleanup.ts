import { rmSync } from 'node:fs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
const paths = new Set<string>()

/**
 * Removes a file when the process ends, however it ends.
 * @returns a function that cancels the removal
 */
export function removeOnExit(path: string): () => void {
  if (paths.size === 0) watch()
  paths.add(path)
  return () => {
    paths.delete(path)
    if (paths.size === 0) unwatch()
  }
}

function watch(): void {
  process.on('exit', removeAll)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

function unwatch(): void {
  process.off('exit', removeAll)
  for (const signal of SIGNALS) process.off(signal, onSignal)
}

/** Re-raises the signal without our listener, so that it has its usual effect. */
function onSignal(signal: NodeJS.Signals): void {
  removeAll()
  unwatch()
  process.kill(process.pid, signal)
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
  paths.clear()
}
