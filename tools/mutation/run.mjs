// npm run mutation -- NAME [FILES]: mutates part of the sources, one fault at a time, and lists the mutants that no
// unit test detects. StrykerJS, which does this for TypeScript, is installed on first use and again when its version
// changes.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const here = import.meta.dirname
const PARTS = {
  store: 'packages/service/src/store/**/*.ts',
  postgres: 'packages/service/src/store/{postgres*,event-partitions}.ts',
  requests: 'packages/service/src/requests/**/*.ts',
  engine: 'packages/engine/src/{modes,request,stream,page,api}/**/*.ts',
}

const [name = '', files] = process.argv.slice(2)
if (name === 'kernel') {
  await import('./kernel.mjs')
} else if (Object.hasOwn(PARTS, name)) {
  install()
  await mutate(files ?? PARTS[name])
} else {
  console.error(`usage: npm run mutation -- kernel, ${Object.keys(PARTS).join(', ')} (of these also: FILES, as a glob)`)
  process.exitCode = 2
}

function install() {
  const args = ['node_modules/.package-lock.json', 'package-lock.json', '--', 'npm ci --no-audit --no-fund']
  const { status } = spawnSync(process.execPath, [join(here, '../when-changed.mjs'), ...args], {
    cwd: here,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

async function mutate(sources) {
  // Tests that need no database server are quick enough to run for each fault; only one part needs the others.
  if (name !== 'postgres') process.env.STORES = 'sqlite'
  process.env.RUNS = '0.03'
  process.chdir(join(here, '../..'))
  const { Stryker } = await import('@stryker-mutator/core')
  const results = await new Stryker({
    mutate: [sources, '!**/*.d.ts', '!**/kernel.bytes.ts'],
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner'), import.meta.resolve('./survivors.mjs')],
    vitest: { configFile: 'tools/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    ignorePatterns: ['bench', 'deploy'],
    ignoreStatic: true,
    reporters: ['progress-append-only', 'survivors'],
    tempDirName: '.mutants',
    concurrency: 2,
    timeoutMS: 10_000,
  }).runMutationTest()
  const found = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  const valid = results.filter(({ status }) => /Killed|Timeout|Survived|NoCoverage/.test(status)).length
  console.log(`${found} of ${valid} found (${((found / valid) * 100).toFixed(1)} %)`)
}
