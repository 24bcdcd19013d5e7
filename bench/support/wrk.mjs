/* Runs wrk, the load generator (a Debian package), and measures CPU time and memory of a process. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function requireWrk() {
  if (spawnSync('wrk', ['-v']).error === undefined) return
  console.error('this needs wrk, the load generator: apt-get install wrk')
  process.exit(1)
}

/**
 * Writes a script that posts one body repeatedly, using the tokens in turn, into a folder of its own inside `parent`.
 * @returns the path of the script
 */
export function wrkScript(parent, body, tokens) {
  const folder = mkdtempSync(join(parent, 'wrk-'))
  const file = join(folder, 'requests.lua')
  writeFileSync(join(folder, 'tokens'), tokens.join('\n'))
  const script = `
    local tokens = {}
    for line in io.lines("${join(folder, 'tokens')}") do tokens[#tokens + 1] = line end
    local body = ${JSON.stringify(body)}
    local requests, next = {}, 0
    function init()
      for i, token in ipairs(tokens) do
        requests[i] = wrk.format("POST", nil, { Authorization = "Bearer " .. token, ["Content-Type"] = "application/json" }, body)
      end
    end
    function request()
      next = next % #requests + 1
      return requests[next]
    end
    function done(summary, latency, _)
      io.write(string.format('RESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"failed":%d}\\n', summary.requests,
        summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, summary.errors.status,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
    end`
  writeFileSync(file, script)
  return file
}

/** One run of wrk on one thread. `refused` counts answers other than 2xx and 3xx. */
export function runWrk(url, { connections, seconds, script }) {
  return new Promise((done, failed) => {
    const wrk = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, url])
    let text = ''
    for (const stream of [wrk.stdout, wrk.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
      })
    }
    wrk.once('error', failed)
    wrk.once('close', () => {
      const result = /^RESULT (.*)$/m.exec(text)?.[1]
      if (result === undefined) failed(new Error(`wrk: ${text}`))
      else done(JSON.parse(result))
    })
  })
}

/** CPU microseconds used so far by a process, by thread: the main thread, and the others. */
export function cpuOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => [thread, threadMicroseconds(pid, thread)])
  return new Map(threads)
}

function threadMicroseconds(pid, thread) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1_000
  } catch {
    return 0
  }
}

/** CPU microseconds of a process and its children. */
export function cpuOfFamily(parent) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name, parent))
  return [String(parent), ...pids].reduce((sum, pid) => sum + [...cpuOf(pid).values()].reduce((a, b) => a + b, 0), 0)
}

function isChild(pid, parent) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1] === String(parent)
  } catch {
    return false
  }
}

/** Resident memory in MB, and open descriptors. */
export function sizeOf(pid) {
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return { rssMB: Math.round(Number(rss) / 1_024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** Peak resident memory of a process in MB. */
export function peakOf(pid) {
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1_024)
}
