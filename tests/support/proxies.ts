import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accepts, freePort } from './ports.ts'
import { REPOSITORY } from './server.ts'
import { untilReady } from './until.ts'

/**
 * A proxy configured as in deploy/, in front of instances on loopback ports. It uses TLS with a self-signed
 * certificate.
 */
export interface RunningProxy {
  /** The TLS port, to which plain requests are redirected. */
  readonly port: number
  readonly plainPort: number
  /** When a request or response body was last buffered on disk; undefined if the proxy has no folder for that. */
  spooledAt(): Promise<number | undefined>
  stop(): Promise<void>
}

export const PROXIES: readonly {
  readonly name: string
  readonly start: (ports: readonly number[]) => Promise<RunningProxy>
}[] = [
  { name: 'nginx', start: startNginx },
  { name: 'HAProxy', start: startHaproxy },
]

interface ProxySettings {
  readonly folder: string
  readonly port: number
  readonly plainPort: number
}

async function startNginx(ports: readonly number[]): Promise<RunningProxy> {
  const settings = await newSettings()
  const { folder, port, plainPort } = settings
  const example = await readFile(join(REPOSITORY, 'deploy/nginx.conf'), 'utf8')
  const site = replaced(example, [
    [/(?:^ +server keepfirst-\d:8080 (.*)\n)+/m, (options) => listed(ports, (at) => `server ${at} ${options}`)],
    [/listen 443 /, () => `listen 127.0.0.1:${port} `],
    [/listen 80;/, () => `listen 127.0.0.1:${plainPort};`],
    [/\/etc\/ssl\/certs\/keepfirst\.pem/, () => `${folder}/both.pem`],
    [/\/etc\/ssl\/private\/keepfirst\.key/, () => `${folder}/both.pem`],
  ])
  await writeFile(join(folder, 'site.conf'), site)
  const spool = join(folder, 'spool')
  await mkdir(spool)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${spool};`)
  const main = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
    events { worker_connections 2048; }
    http { ${folders.join(' ')} include ${folder}/site.conf; }`
  await writeFile(join(folder, 'nginx.conf'), main)
  const child = spawn('/usr/sbin/nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')])
  return running(child, settings, async () => (await stat(spool)).mtimeMs)
}

async function startHaproxy(ports: readonly number[]): Promise<RunningProxy> {
  const settings = await newSettings()
  const { folder, port, plainPort } = settings
  const example = await readFile(join(REPOSITORY, 'deploy/haproxy.cfg'), 'utf8')
  const config = replaced(example, [
    [/^ +user haproxy$/m, () => ''],
    [/^ +group haproxy$/m, () => ''],
    [/bind :443 /, () => `bind 127.0.0.1:${port} `],
    [/bind :80$/m, () => `bind 127.0.0.1:${plainPort}`],
    [/\/etc\/haproxy\/keepfirst\.pem/, () => `${folder}/both.pem`],
    [/(?:^ +server \w+ keepfirst-\d:8080\n)+/m, () => listed(ports, (at, i) => `    server i${i} ${at}`)],
  ])
  await writeFile(join(folder, 'haproxy.cfg'), config)
  return running(
    spawn('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]),
    settings,
    async () => undefined,
  )
}

function listed(ports: readonly number[], line: (address: string, i: number) => string): string {
  return `${ports.map((port, i) => line(`127.0.0.1:${port}`, i)).join('\n')}\n`
}

/**
 * An example configuration with its machine-dependent parts replaced.
 * @throws Error when a pattern does not match, since the test would then test something else
 */
function replaced(
  example: string,
  changes: readonly (readonly [pattern: RegExp, by: (group: string) => string])[],
): string {
  return changes.reduce((text, [pattern, by]) => {
    if (!pattern.test(text)) throw new Error(`the example no longer has ${pattern}`)
    return text.replace(pattern, (_, group: string) => by(group))
  }, example)
}

async function newSettings(): Promise<ProxySettings> {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-proxy-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=keepfirst.example.com', '-days', '2']
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', certificate, ...subject],
  ])
  await writeFile(join(folder, 'both.pem'), `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`)
  return { folder, port: await freePort(), plainPort: await freePort() }
}

async function running(
  child: ChildProcess,
  settings: ProxySettings,
  spooledAt: RunningProxy['spooledAt'],
): Promise<RunningProxy> {
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilReady(
    child,
    () => accepts(settings.port),
    () => Buffer.concat(output).toString(),
  )
  return {
    port: settings.port,
    plainPort: settings.plainPort,
    spooledAt,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(settings.folder, { recursive: true, force: true })
    },
  }
}
