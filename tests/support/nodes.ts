import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { run } from './packages.ts'

/** Another Node.js than the one that the tests run on; gone when it is removed. */
export interface OtherNode {
  /** Its program. */
  readonly path: string
  /** The environment of programs that are to find it first, npm among them. */
  readonly env: NodeJS.ProcessEnv
  remove(): Promise<void>
}

/** Fetches the newest Node.js of that major version, as a package of its own. */
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
