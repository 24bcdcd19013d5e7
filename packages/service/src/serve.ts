import type { Config } from './config.ts'
export async function serve(config: Config): Promise<void> {
  throw new Error(String(config))
}
