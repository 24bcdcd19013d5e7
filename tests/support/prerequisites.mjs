// What the tests need in addition to `npm ci`: real servers and a real browser. As root on Debian, missing packages are
// installed; otherwise they are listed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NEEDED = [
  { package: 'postgresql', anyOf: ['/usr/lib/postgresql/15/bin/postgres', '/usr/lib/postgresql/17/bin/postgres'] },
  { package: 'pgbouncer', anyOf: ['/usr/sbin/pgbouncer'] },
  { package: 'chromium-headless-shell', anyOf: [process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'] },
  { package: 'unbound', anyOf: ['/usr/sbin/unbound'] },
  { package: 'faketime', anyOf: onPath('faketime') },
  { package: 'nginx-light', anyOf: ['/usr/sbin/nginx'] },
  { package: 'haproxy', anyOf: ['/usr/sbin/haproxy'] },
  { package: 'prometheus', anyOf: onPath('promtool') },
  { package: 'systemd', anyOf: onPath('systemd-analyze') },
  { package: 'openssl', anyOf: onPath('openssl') },
  { package: 'curl', anyOf: onPath('curl') },
  { package: 'python3', anyOf: onPath('python3') },
  { package: 'jq', anyOf: onPath('jq') },
]

function onPath(program) {
  return (process.env.PATH ?? '').split(':').map((folder) => join(folder, program))
}

const missing = NEEDED.filter(({ anyOf }) => !anyOf.some((file) => existsSync(file))).map((need) => need.package)
if (missing.length > 0) {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!canInstall) {
    process.stderr.write(`The tests need these Debian packages, which are not installed: ${missing.join(', ')}\n`)
    process.exit(1)
  }
  // With runlevel 1, packages do not start their services, which would conflict with those of the tests.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (...args) => execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...missing)
}
