import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './complaint.ts'
import { type Config, SettingError } from './config.ts'

/**
 * The secret that signs sessions: the operator's, else one that is made once and kept beside the embedded
 * database, readable for this user alone.
 * @throws SettingError with PostgreSQL and no secret: instances must share one
 */
export async function authSecret(config: Config, randomBytes: (count: number) => Buffer): Promise<string> {
  if (config.authSecret !== undefined) return config.authSecret
  if (!config.databaseUrl.startsWith('sqlite:')) {
    throw new SettingError('AUTH_SECRET must be set with PostgreSQL: 32 characters or more, the same on every instance')
  }
  const folder = dirname(config.databaseUrl.slice('sqlite:'.length))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'auth-secret')
  await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  return readFile(file, 'utf8')
}
