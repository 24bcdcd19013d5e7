import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from './ports.ts'
import { type PrivatePostgres, simulateContention, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that returns the address of the PostgreSQL shared by all test files. */
    postgresAt: string
  }
}

/*
 * What all files of a run share: a folder for temporary files, and a PostgreSQL server that is started on first use.
 * Both are removed after the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = hasRoomInMemory() ? MEMORY : tmpdir()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `keepfirst-run-${process.pid}-`))
  // The mode of `/tmp`: PostgreSQL and some commands run as other users when the tests run as root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder

  let postgres: Promise<PrivatePostgres> | undefined
  const host = createServer((_, response) => {
    postgres ??= start()
    postgres.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  const port = await freePort()
  host.listen(port, '127.0.0.1')
  await once(host, 'listening')
  project.provide('postgresAt', `http://127.0.0.1:${port}`)

  return async () => {
    host.close()
    await (await postgres)?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(): Promise<PrivatePostgres> {
  const postgres = await startPostgres()
  if (process.env.TEST_CONTENTION) await simulateContention(postgres)
  return postgres
}

/**
 * Removes the folders of runs that were killed, because files in memory stay until the machine restarts. A PostgreSQL
 * server whose folder is gone ends within a minute.
 */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^keepfirst-run-(\d+)-/.exec(name) ?? []
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(parent, name), { recursive: true })
    } catch {} // another user's, or a file system is mounted in it
  }
}

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30

/** Whether there is a file system in memory, where no commit waits for a shared disk. */
function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM_BYTES && runsPrograms(MEMORY)
}

/** Whether programs may be run from there; containers may forbid it. */
function runsPrograms(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'keepfirst-probe-'))
  const program = join(folder, 'program')
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
