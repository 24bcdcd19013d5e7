// Runs commands one after another in one process, each with files as its standard streams, because a short command
// spends most of its time starting Node.js.
import { closeSync, openSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addLocalCommands, createProgram, runProgram } from '@keepfirst/cli'

const PROGRAMS = {
  local: () => {
    const program = createProgram(new URL('../../packages/cli/package.json', import.meta.url))
    addLocalCommands(program)
    return program
  },
  operator: async () => (await import('../../packages/service/dist/command-line.js')).commandLine(),
}

process.on('message', async ({ program, folder, env, args, streams }) => {
  process.chdir(folder)
  process.env = env
  for (const [fd, { file, flags }] of streams.entries()) {
    closeSync(fd)
    // The lowest free descriptor is the one that has just been closed.
    if (openSync(file, flags) !== fd) process.exit(70)
  }
  process.exitCode = undefined
  process.argv.splice(1, Number.POSITIVE_INFINITY, 'keepfirst', ...args)
  await runProgram(await PROGRAMS[program]())
  // A command that ends early may leave a read of its standard input, which would consume the next one's bytes.
  while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) await nextTurn()
  process.send(process.exitCode ?? 0)
})
