import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { REPOSITORY } from '../support/server.ts'

const run = promisify(execFile)
const DEPLOY = join(REPOSITORY, 'deploy')

describe('the unit for systemd', () => {
  let folder = ''
  let unit = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepfirst-unit-'))
    unit = join(folder, 'keepfirst@8080.service')
    await copyFile(join(DEPLOY, 'keepfirst@.service'), unit)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('says nothing that systemd does not understand', async () => {
    const { stderr } = await run('systemd-analyze', ['verify', unit])
    expect(stderr).not.toContain('keepfirst')
  })

  test('leaves an exposure of 2.0 at the most', async () => {
    // Exits with another code than 0 when the exposure is above the threshold, in tenths.
    await run('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=20', unit])
  })
})

const Composition = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
      volumes: z.array(z.string()).optional(),
      depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
      logging: z.unknown(),
    }),
  ),
})

describe('the composition of containers', () => {
  test('names files and services that are there, and bounds every log', async () => {
    const { services } = Composition.parse(parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }))
    expect(Object.keys(services)).toHaveLength(7)
    for (const [name, { build, volumes = [], depends_on = [], logging }] of Object.entries(services)) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
      for (const other of needed) expect(services, name).toHaveProperty(other)
      const files = volumes.map((volume) => volume.split(':')[0] ?? '').filter((file) => file.startsWith('./'))
      if (build) files.push(join(build.context, build.dockerfile))
      for (const file of files) expect(existsSync(join(DEPLOY, file)), file).toBe(true)
      expect(logging, name).toMatchObject({ options: { 'max-size': expect.any(String) } })
    }
  })
})
