// What the tests need beyond `npm ci`: real servers and a real browser. On Debian, as root, whatever is missing
// is installed; elsewhere it is named.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NEEDED = [
  { package: 'postgresql', anyOf: ['/usr/lib/postgresql/15/bin/postgres', '/usr/lib/postgresql/17/bin/postgres'] },
  { package: 'chromium', anyOf: ['/usr/bin/chromium'] },
  { package: 'unbound', anyOf: ['/usr/sbin/unbound'] },
  { package: 'faketime', anyOf: onPath('faketime') },
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...missing)
}
