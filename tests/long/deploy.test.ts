import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../support/examples.ts'
import { REPOSITORY } from '../support/server.ts'

/*
 * Runs all commands of docs/deploy.md in a throw-away copy of this machine: the root file system is covered by a layer
 * in memory, and processes have their own namespace.
 */

const BLOCKS = blocksOf(await readFile(join(REPOSITORY, 'docs/deploy.md'), 'utf8'), 'sh')

/** What the page assumes: a domain name, a certificate, and a running PostgreSQL. */
const BEFORE = `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
unset BASE_URL NODE_ENV
trap 'tail -n 5 /var/log/keepfirst-*.log' EXIT
export REPOSITORY=file://${REPOSITORY} DOMAIN=keepfirst.test CURL_CA_BUNDLE=/etc/ssl/certs/keepfirst.pem npm_config_prefer_offline=true
install ${join(REPOSITORY, 'tests/long/systemctl.sh')} /usr/local/sbin/systemctl
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$DOMAIN" \\
  -addext "subjectAltName=DNS:$DOMAIN" -keyout /etc/ssl/private/keepfirst.key -out $CURL_CA_BUNDLE 2>/dev/null
pg_ctlcluster "$(ls /usr/lib/postgresql | tail -1)" main start
`

/** Callers that keep sending requests while the instances are replaced; each prints the statuses that it gets. */
const LOAD = `
token=$(keepfirst keys create --account load@example.com --plan pro --json | grep -o 'kf_live_[0-9a-f]\\{64\\}')
for caller in 1 2 3 4; do
  (set +x; while [ ! -e /run/stop-load ]; do
    curl -sS -o /dev/null -w '%{http_code}\\n' --resolve "$DOMAIN:443:127.0.0.1" "https://$DOMAIN/api/dedupe" \\
      -H "x-api-key: $token" -d '{"mode":"lines","data":"a"}' || echo failed
    sleep 0.5
  done) >"/run/statuses-$caller" 2>&1 &
done
`

const AFTER = `
touch /run/stop-load
wait
echo "statuses: $(grep -hv '^+' /run/statuses-* | sort | uniq -c | tr -s '[:space:]' ' ')"
`

function script(): string {
  const isUpdate = (block: string) => block.includes('keepfirst-2')
  const steps = BLOCKS.map((block) => (isUpdate(block) ? `${LOAD}\n${block}` : block))
  return ['set -eux', BEFORE, ...steps, AFTER].join('\n')
}

/** Runs a script in a throw-away copy of the machine; returns its output and exit code. */
function runInCopy(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const enter = `
    layer=$(mktemp -d)
    mount -t tmpfs -o size=6G layer "$layer"
    mkdir "$layer"/changes "$layer"/work "$layer"/root
    mount -t overlay -o "lowerdir=/,upperdir=$layer/changes,workdir=$layer/work" copy "$layer"/root
    for folder in dev sys; do mount --rbind "/$folder" "$layer/root/$folder"; done
    mount -t proc proc "$layer"/root/proc
    mount -t tmpfs run "$layer"/root/run
    mkdir -p "$layer"/root/run/postgresql && chmod 1777 "$layer"/root/run/postgresql
    exec chroot "$layer"/root bash -c "$0"`
  return new Promise((resolve) => {
    const args = ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-euc', enter, script]
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}

test.skipIf(process.getuid?.() !== 0)('all steps of docs/deploy.md work, and an update loses no requests', async () => {
  const { code, output } = await runInCopy(script())
  expect(code, output.slice(-4_000)).toBe(0)
  expect(output).toContain('{"result":["a","b"],"kept":2,"removed":1}')
  expect(output).toMatch(/^statuses: +\d+ 200 ?$/m)
})
