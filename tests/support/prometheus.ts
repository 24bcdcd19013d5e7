import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from './ports.ts'
import { REPOSITORY } from './server.ts'
import { untilReady } from './until.ts'

const Answer = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

/** A Prometheus server for one test, with the alerts from deploy/. */
export interface RunningPrometheus {
  /**
   * The current value of an expression.
   * @throws Error when it is invalid
   */
  query(expression: string): Promise<z.infer<typeof Answer>['data']['result']>
  stop(): Promise<void>
}

/** Starts a Prometheus server that scrapes `127.0.0.1:port` every second. */
export async function startPrometheus(port: number): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(REPOSITORY, 'deploy/prometheus/alerts.yml')],
    scrape_configs: [{ job_name: 'keepfirst', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const files = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn('prometheus', [...files, `--web.listen-address=${address}`], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilReady(child, () => isReady(address))
  return {
    async query(expression) {
      const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
      return Answer.parse(await response.json()).data.result
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isReady(address: string): Promise<boolean> {
  return await fetch(`http://${address}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}
