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

describe('the systemd unit', () => {
  let folder = ''
  let unit = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepfirst-unit-'))
    unit = join(folder, 'keepfirst@8080.service')
    await copyFile(join(DEPLOY, 'keepfirst@.service'), unit)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is valid', async () => {
    const { stderr } = await run('systemd-analyze', ['verify', unit])
    expect(stderr).not.toContain('keepfirst')
  })

  test('has a security exposure of at most 2.0', async () => {
    // Fails if the exposure is above the threshold, in tenths.
    await run('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=20', unit])
  })
})

const ComposeFile = z.object({
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

describe('the Compose file', () => {
  test('refers to existing files and services, and limits every log', async () => {
    const { services } = ComposeFile.parse(parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }))
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

describe('each instance may write its PENDING_FILE, and shares it with no other', () => {
  test('the systemd unit', async () => {
    const unit = await readFile(join(DEPLOY, 'keepfirst@.service'), 'utf8')
    expect(unit).toMatch(/^StateDirectory=keepfirst$/m)
    expect(unit).toMatch(/^Environment=.* PENDING_FILE=\/var\/lib\/keepfirst\/[^ ]*%i/m)
  })

  test('the containers', async () => {
    const dockerfile = await readFile(join(DEPLOY, 'Dockerfile'), 'utf8')
    expect(dockerfile).toMatch(/PENDING_FILE=\/data\//)
    const { services } = ComposeFile.parse(parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }))
    const instances = Object.entries(services).filter(([, { build }]) => build !== undefined)
    expect(instances).toHaveLength(3)
    for (const [name, { volumes }] of instances) expect(volumes).toEqual([`${name}:/data`])
  })
})

describe('the Dockerfile', () => {
  test('uses existing stages and files, does not remove the program that it runs, and runs it as nobody', async () => {
    const lines = (await readFile(join(DEPLOY, 'Dockerfile'), 'utf8')).split('\n')
    const instructions = lines
      .flatMap((line) => [/^([A-Z]+) (.*)$/.exec(line)?.slice(1) ?? []])
      .filter(({ length }) => length > 0)
    const of = (name: string): readonly string[] =>
      instructions.filter(([instruction]) => instruction === name).map(([, rest = '']) => rest)
    const stages = of('FROM').flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? [])
    for (const copy of of('COPY')) {
      const stage = /^--from=(\w+) /.exec(copy)?.[1]
      if (stage !== undefined) expect(stages).toContain(stage)
      else expect(existsSync(join(REPOSITORY, copy.split(' ')[0] ?? '')), copy).toBe(true)
    }
    const removed = of('RUN').flatMap((run) => /^rm -rf (.*)$/.exec(run)?.[1]?.split(' ') ?? [])
    for (const path of removed) expect(existsSync(join(REPOSITORY, path.replace('*', 'service'))), path).toBe(true)
    const program = z.array(z.string()).parse(JSON.parse(of('ENTRYPOINT')[0] ?? ''))[1] ?? ''
    expect(existsSync(join(REPOSITORY, program))).toBe(true)
    expect(removed.some((path) => program.startsWith(`${path}/`))).toBe(false)
    expect(of('USER')).toEqual(['65534:65534'])
    expect(of('FROM').map((from) => /^node:(\d+)-/.exec(from)?.[1])).toEqual(['24', '24'])
    const ignored = (await readFile(join(DEPLOY, 'Dockerfile.dockerignore'), 'utf8')).split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist', 'data']))
  })
})
