import { spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import { untilReady } from './until.ts'

/** A real resolver (unbound) with its own zones on its own loopback port. */
export interface Unbound {
  /** In the form of `DNS_SERVERS`. */
  readonly address: string
  stop(): Promise<void>
}

/** The zones that unbound serves; names that are not here do not exist. */
export const ZONES: Readonly<Record<string, { readonly mx: boolean | null; readonly config: string }>> = {
  'mail.example': { mx: true, config: 'local-data: "mail.example. MX 10 a.mail.example."' },
  'xn--mnchen-3ya.example': { mx: true, config: 'local-data: "xn--mnchen-3ya.example. MX 10 a.mail.example."' },
  'mailinator.com': { mx: true, config: 'local-data: "mailinator.com. MX 10 a.mail.example."' },
  'host.example': { mx: false, config: 'local-data: "host.example. A 192.0.2.1"' },
  'null.example': { mx: false, config: 'local-data: "null.example. MX 0 ."' },
  'missing.example': { mx: false, config: '' },
  'refused.example': { mx: null, config: 'local-zone: "refused.example." refuse' },
  'silent.example': { mx: null, config: 'local-zone: "silent.example." deny' },
  'broken.example': { mx: null, config: 'local-zone: "broken.example." transparent' },
  // Longer than the 512 octets of an answer over UDP, so that unbound truncates it.
  'long.example': {
    mx: true,
    config: Array.from(
      { length: 40 },
      (_, i) => `local-data: "long.example. MX ${i} mail-${i}.somewhere-else.example."`,
    ).join('\n  '),
  },
  ...Object.fromEntries(
    Object.entries({ mail: true, alias: true, twice: true, host: false, bare: false, gone: false, loop: null }).map(
      ([name, mx]) => [`${name}.chain.example`, { mx, config: '' }],
    ),
  ),
}

/**
 * Aliases (CNAME) are only followed if the resolver queries an authoritative server, so this zone is a separate one.
 */
const CHAIN_ZONE = `$ORIGIN chain.example.
@ 60 SOA ns hostmaster 1 60 60 60 60
@ 60 NS ns
ns 60 A 127.0.0.1
mail 60 MX 10 a.mail.example.
host 60 A 192.0.2.1
alias 60 CNAME mail
twice 60 CNAME alias
bare 60 CNAME host
gone 60 CNAME nowhere
loop 60 CNAME pool
pool 60 CNAME loop
`

/**
 * Starts unbound.
 * @throws Error when the Debian package `unbound` is missing
 */
export async function startUnbound(): Promise<Unbound> {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-unbound-'))
  const port = await freePort()
  const file = join(folder, 'unbound.conf')
  await writeFile(join(folder, 'chain.zone'), CHAIN_ZONE)
  await writeFile(file, configuration(port, folder))
  const child = spawn('/usr/sbin/unbound', ['-d', '-p', '-c', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const address = `127.0.0.1:${port}`
  await untilReady(child, () => answers(address))
  return {
    address,
    async stop() {
      child.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

function configuration(port: number, folder: string): string {
  return `server:
  interface: 127.0.0.1
  port: ${port}
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: "${folder}/log"
  do-ip6: no
  do-not-query-localhost: no
  access-control: 127.0.0.0/8 allow
  module-config: "iterator"
  outgoing-range: 64
  local-zone: "." static
  local-zone: "chain.example." transparent
  ${Object.values(ZONES)
    .map((zone) => zone.config)
    .join('\n  ')}
forward-zone:
  name: "broken.example."
  forward-addr: 127.0.0.1@1
auth-zone:
  name: "chain.example."
  zonefile: "${folder}/chain.zone"
  for-downstream: no
  fallback-enabled: no
remote-control:
  control-enable: no
`
}

async function answers(address: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([address])
  return await resolver.resolveMx('mail.example').then(
    () => true,
    () => false,
  )
}
