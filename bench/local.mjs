/*
 * npm run bench -- local [MEGABYTES]
 *
 * Lines and rows on the command line beside what people use: the same generated file (half of its lines are
 * duplicates), one tool after the other, output discarded. Tools that are not installed are left out.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEGABYTES = Number(process.argv[3] ?? 512)
const LINE_BYTES = 57
const command = join(import.meta.dirname, '../packages/service/bin/keepfirst.js')

/** Lines that are CSV rows as well, without quotes, so that every tool can take them. */
function generate(file) {
  const out = openSync(file, 'w')
  const distinct = Math.floor((MEGABYTES * 1_000_000) / LINE_BYTES / 2)
  let state = 12_345
  for (let bytes = 0; bytes < MEGABYTES * 1_000_000; ) {
    let part = ''
    while (part.length < 1_000_000) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const k = Math.floor((state / 2 ** 32) * distinct)
      part += `user${k}@example${k % 977}.org,${(k * 7_919) % 1_000_003},some street ${k % 311}, Town ${k % 53}\n`
    }
    bytes += writeSync(out, part)
  }
  closeSync(out)
}

const keepfirst = (...args) => [process.execPath, command, ...args]
const TOOLS = {
  lines: [
    { name: 'keepfirst lines', keepsOrder: true, run: (file) => keepfirst('lines', file) },
    { name: 'keepfirst lines --exact', keepsOrder: true, run: (file) => keepfirst('lines', '--exact', file) },
    { name: "mawk '!s[$0]++'", keepsOrder: true, run: (file) => ['mawk', '!s[$0]++', file] },
    { name: "gawk '!s[$0]++'", keepsOrder: true, run: (file) => ['gawk', '!s[$0]++', file] },
    { name: 'sort -u', keepsOrder: false, run: (file) => ['sort', '-u', file] },
  ],
  rows: [
    { name: 'keepfirst rows', keepsOrder: true, run: (file) => keepfirst('rows', file) },
    {
      name: 'keepfirst rows --key-columns 0',
      keepsOrder: true,
      run: (file) => keepfirst('rows', '--key-columns', '0', file),
    },
    { name: "gawk -F, '!s[$1]++'", keepsOrder: true, run: (file) => ['gawk', '-F,', '!s[$1]++', file] },
    {
      name: 'mlr --icsv --ocsv head -n 1 -g 1',
      keepsOrder: true,
      run: (file) => [
        'mlr',
        '--csv',
        '--implicit-csv-header',
        '--headerless-csv-output',
        '--allow-ragged-csv-input',
        'head',
        '-n',
        '1',
        '-g',
        '1',
        file,
      ],
    },
    { name: 'csvtk uniq -f 1', keepsOrder: true, run: (file) => ['csvtk', 'uniq', '-H', '-f', '1', file] },
    { name: 'qsv dedup', keepsOrder: false, run: (file) => ['qsv', 'dedup', file] },
  ],
}

function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v '${program}'`]).status === 0
}

/** Wall clock, CPU and peak memory of one run. */
function measure(run) {
  const script =
    'import os,sys,time,resource,subprocess\nt=time.time()\nsubprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True)\nu=resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(time.time()-t,u.ru_utime+u.ru_stime,u.ru_maxrss)'
  const [seconds = 0, cpuSeconds = 0, kilobytes = 0] = execFileSync('python3', ['-c', script, ...run], {
    encoding: 'utf8',
  })
    .split(' ')
    .map(Number)
  return { seconds, cpuSeconds, megabytes: kilobytes / 1_000 }
}

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-bench-'))
try {
  const file = join(folder, 'data')
  generate(file)
  const distinct = JSON.parse(
    spawnSync(process.execPath, [command, 'lines', '--count', '--output', '/dev/null', file], { encoding: 'utf8' })
      .stderr,
  ).kept
  console.log(
    `${MEGABYTES} MB, ${distinct} distinct lines; ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  )
  for (const [form, tools] of Object.entries(TOOLS)) {
    console.log(
      `| ${form} | keeps order | seconds | CPU seconds | peak MB | bytes a distinct key |\n| --- | --- | --- | --- | --- | --- |`,
    )
    for (const { name, keepsOrder, run } of tools) {
      const [program = ''] = run(file)
      if (!isInstalled(program)) continue
      const { seconds, cpuSeconds, megabytes } = measure(run(file))
      const perKey = Math.round((megabytes * 1_000_000) / distinct)
      console.log(
        `| \`${name}\` | ${keepsOrder ? 'yes' : 'no'} | ${seconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${Math.round(megabytes)} | ${perKey} |`,
      )
    }
    console.log()
  }
} finally {
  rmSync(folder, { recursive: true })
}
