// Mutates the kernel's AssemblyScript: changes a comparison, an operator or a constant, or removes a statement. Each
// mutant is compiled and tested by the engine's quick tests in memory; no file of the working tree changes. A seed
// selects the mutants, so that a run can be repeated: set SEED and COUNT in the environment.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mulberry32 } from '../../tests/support/mulberry32.mjs'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'packages/engine/assembly/core')
const BUILD = join(ROOT, 'packages/engine/assembly/build.mjs')
/** A mutant may loop forever. A run that takes this long, many times what the tests need, counts as found. */
const TIMEOUT_MS = 300_000

/** What replaces each operator. The sources have spaces around all of them. */
const OPERATORS = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' == ': ' != ',
  ' != ': ' == ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' + ': ' - ',
  ' - ': ' + ',
}
const OPERATOR = / (?:[<>]=?|[!=]=|&&|\|\||[+-]) /g
const CONSTANT = /(?<![\w.])(?:0x[\da-f_]+|\d[\d_]*)\b(?!\.)/gi
const STATEMENT =
  /^\s+(?!(?:return|let|const|if|for|while|break|continue|import|export|assert)\b)[\w.[\]]+(?:\(| [-+|&^]?= ).*[^{,(]$/

/** @returns all mutants of a source file: the line that changes, before and after */
function mutantsOf(name) {
  const lines = readFileSync(join(SOURCES, name), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    if (/^\s*(?:\/\/|\/?\*|@|import |export \{|assert\()/.test(line)) return []
    const [code = ''] = line.split(/ \/\/ /)
    const changed = [
      ...[...code.matchAll(OPERATOR)].map((match) => rewritten(code, match, OPERATORS[match[0]])),
      ...[...code.matchAll(CONSTANT)].map((match) =>
        rewritten(code, match, `${Number(match[0].replaceAll('_', '')) + 1}`),
      ),
      ...(STATEMENT.test(code) ? [''] : []),
    ]
    return changed.map((now) => ({ name, at, was: line.trim(), now: now.trim() }))
  })
}

function rewritten(code, match, other) {
  return code.slice(0, match.index) + other + code.slice(match.index + match[0].length)
}

/** Draws without replacement. */
function drawn(all, count, seed) {
  const random = mulberry32(seed)
  const rest = [...all]
  return Array.from(
    { length: Math.min(count, all.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  )
}

/** Compiles a mutant and tests it; returns `found`, `survived`, `never ended` or `does not compile`. */
async function outcomeOf({ name, at, now }, folder) {
  const lines = readFileSync(join(SOURCES, name), 'utf8').split('\n')
  lines[at] = now
  const mutated = join(folder, 'mutated.ts')
  const kernel = join(folder, 'kernel.base64')
  writeFileSync(mutated, lines.join('\n'))
  try {
    const args = [BUILD, '--instead', `core/${name}`, '--by', mutated, 'core']
    writeFileSync(kernel, execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return 'does not compile'
  }
  return tested({ KERNEL: kernel })
}

async function tested(env) {
  const config = join(import.meta.dirname, 'kernel.config.mjs')
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config]
  // In its own process group, because a test that loops runs in a grandchild.
  const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore', detached: true }
  const child = spawn(process.execPath, args, options)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    process.kill(-child.pid, 'SIGKILL')
  }, TIMEOUT_MS)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  if (isLate) return 'never ended'
  return code === 0 ? 'survived' : 'found'
}

const { SEED = '1', COUNT = '150' } = process.env
const all = readdirSync(SOURCES).flatMap((name) => (name.endsWith('.ts') ? mutantsOf(name) : []))
const mutants = drawn(all, Number(COUNT), Number(SEED))
const folder = mkdtempSync(join(tmpdir(), 'keepfirst-mutation-'))
const count = {}
try {
  if ((await tested({})) !== 'survived') throw new Error('the tests fail without a mutant')
  for (const [n, mutant] of mutants.entries()) {
    const outcome = await outcomeOf(mutant, folder)
    count[outcome] = (count[outcome] ?? 0) + 1
    console.log(`${n + 1}. ${outcome}: ${mutant.name}:${mutant.at + 1}  ${mutant.was}  →  ${mutant.now}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
const { survived = 0, 'does not compile': invalid = 0 } = count
const valid = mutants.length - invalid
console.log(`seed ${SEED}: of ${all.length} mutants ${mutants.length} drawn, ${invalid} of them do not compile;`)
console.log(`${valid - survived} of ${valid} found (${((1 - survived / valid) * 100).toFixed(1)} %)`)
