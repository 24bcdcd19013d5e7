import { execFile } from 'node:child_process'
import { REPOSITORY } from './server.ts'

/** Tests may take longer than usual where these suites run. */
const TIMEOUT_MS = 1_800_000

/**
 * Runs other test files in a separate process.
 * @param node the Node.js to run them with
 * @throws Error with the output when one fails
 */
export function runSuites(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  node: string = process.execPath,
): Promise<void> {
  // The new runner must not inherit the variables of the current one.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name)))
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', `--testTimeout=${TIMEOUT_MS}`, ...files]
  return new Promise((resolve, reject) => {
    execFile(node, args, { cwd: REPOSITORY, env: own, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`.slice(-8_000)))
      else resolve()
    })
  })
}
