import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { run } from './packages.ts'

/** Another version of Node.js than the one running the tests; call `remove` when done. */
export interface OtherNode {
  /** Path of its executable. */
  readonly path: string
  /** An environment in which programs, including npm, find it first. */
  readonly env: NodeJS.ProcessEnv
  remove(): Promise<void>
}

/** Downloads the newest Node.js of a major version into a temporary folder. */
export async function fetchNode(major: number): Promise<OtherNode> {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-node-'))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const name = `node-${process.platform}-${process.arch}`
  await run(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `${name}@${major}`])
  const bin = join(folder, 'node_modules', name, 'bin')
  return {
    path: join(bin, 'node'),
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
