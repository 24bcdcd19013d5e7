import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPOSITORY, type RunningServer, removeFolder, startServer } from './support/server.ts'

/*
 * Runs the recipes in `docs/recipes.md` with a real server, as far as possible without the tools that they are for; the
 * services of these tools are simulated here.
 */

let server: RunningServer
let folder: string
let recipes: string

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-recipes-'))
  recipes = await readFile(join(REPOSITORY, 'docs/recipes.md'), 'utf8')
})
afterAll(async () => {
  await server.stop()
  await removeFolder(server.folder)
  await removeFolder(folder)
})

/** The code of a recipe with the address of the server. */
function codeOf(title: string): string {
  const blocks = [...recipes.matchAll(/^```\w+ ([^\n]*)\n(.*?)^```$/gms)]
  const [, , code] = blocks.find(([, name]) => name === title) ?? []
  if (code === undefined) throw new Error(`no recipe is called ${title}`)
  return code.replaceAll('http://localhost:8080', server.baseUrl)
}

const SHEET = [
  ['name', 'address'],
  ['Ana', 'ana@example.com'],
  ['Ben', 'ben@example.com'],
  ['Ana M.', 'ana@example.com'],
]
const KEPT = SHEET.slice(0, 3)

/** The format in which spreadsheets keep what is written to a cell as it is. */
const TEXT = '@'

/** A range of a new sheet, as far as the scripts use it. */
class NewRange {
  place: number[] = []
  format = ''
  values: unknown

  at(place: number[]): this {
    this.place = place
    return this
  }

  setNumberFormat(format: string): this {
    this.format = format
    return this
  }

  setValues(values: unknown): void {
    // A later format would not bring back what was already converted.
    expect(this.format).toBe(TEXT)
    this.values = values
  }
}

describe('spreadsheets', () => {
  test('Apps Script writes the kept rows into a new sheet', () => {
    const written = new NewRange()
    const sheet = { getDataRange: () => ({ getDisplayValues: () => SHEET }) }
    const target = { getRange: (...place: number[]) => written.at(place) }
    const services = {
      SpreadsheetApp: { getActiveSheet: () => sheet, getActiveSpreadsheet: () => ({ insertSheet: () => target }) },
      UrlFetchApp: { fetch: fetchAtOnce },
    }
    runInNewContext(`${codeOf('Apps Script')}\nremoveDuplicates()`, services)
    expect(written).toEqual({ place: [1, 1, 3, 2], format: TEXT, values: KEPT })
  })

  test('an Office Script writes the kept rows into a new sheet', async () => {
    const written = new NewRange()
    const workbook = {
      getActiveWorksheet: () => ({ getUsedRange: () => ({ getTexts: () => SHEET }) }),
      addWorksheet: () => ({ getRangeByIndexes: (...place: number[]) => written.at(place) }),
    }
    const { outputText } = ts.transpileModule(codeOf('Office Script'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022 },
    })
    await runInNewContext(`${outputText}\nmain(workbook)`, { workbook, fetch })
    expect(written).toEqual({ place: [0, 0, 3, 2], format: TEXT, values: KEPT })
  })
})

describe('workflow tools', () => {
  const items = [{ email: 'a@x.com', n: 1 }, { email: 'b@x.com' }, { email: 'a@x.com', n: 2 }]
  const kept = items.slice(0, 2)

  test('n8n: the body contains all items, and the answer becomes items again', async () => {
    const expression = /\{\{(.*)\}\}/s.exec(codeOf('n8n: JSON body'))?.[1] ?? ''
    const body = runInNewContext(expression, { $input: { all: () => items.map((json) => ({ json })) } })
    const { json } = await server.call({ body })
    const $input = { first: () => ({ json }) }
    const output = runInNewContext(`(() => { ${codeOf('n8n: Code node')} })()`, { $input })
    expect(JSON.parse(JSON.stringify(output))).toEqual(kept.map((item) => ({ json: item })))
  })

  test('Node-RED: the message is the request', async () => {
    const code = codeOf('Node-RED: function node')
    const msg = runInNewContext(`((msg) => { ${code} })({ payload: items })`, { items })
    const response = await fetch(msg.url, { ...msg, body: JSON.stringify(msg.payload) })
    expect(await response.json()).toEqual({ result: kept, kept: 2, removed: 1 })
  })
})

describe('shells', () => {
  test('lines of a file', async () => {
    await writeFile(join(folder, 'list.txt'), 'Grüße\n ab \nab\nGrüße\n')
    expect(await inShell(codeOf('Lines'))).toBe('Grüße\nab\n')
    await writeFile(join(folder, 'list.txt'), 'a\r\nb\r\na\r\n')
    expect(await inShell(codeOf('Lines'))).toBe('a\nb\n')
  })

  test('a CSV file', async () => {
    await writeFile(join(folder, 'list.csv'), 'id,name\n1,"Ana, M."\n2,Ben\n3,"Ana, M."\n')
    expect(await inShell(codeOf('CSV rows'))).toBe('id,name\n1,"Ana, M."\n2,Ben\n')
  })

  test.each(['Lines', 'CSV rows'])("%s: a refusal fails with the service's words", async (title) => {
    const tooMany = 'a,b\n'.repeat(502)
    for (const name of ['list.txt', 'list.csv']) await writeFile(join(folder, name), tooMany)
    await expect(inShell(codeOf(title))).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('request too large: 50'),
    })
  })

  test('JSON, with every digit', async () => {
    const big = (id: string) => `{"user":{"id":${id}}}`
    const data = [big('9007199254740993'), big('9007199254740992'), big('9007199254740993')]
    await writeFile(join(folder, 'list.json'), `[${data.join(',')}]`)
    expect(await inShell(codeOf('JSON'))).toContain(`{"result":[${data.slice(0, 2).join(',')}]`)
  })

  test('Python', async () => {
    await writeFile(join(folder, 'list.csv'), '\uFEFFid,name\n1,Zoë\n2,Ben\n3,Zoë\n')
    expect(await rowsInPython()).toEqual([
      ['id', 'name'],
      ['1', 'Zoë'],
      ['2', 'Ben'],
    ])
  })

  test('cells with what other tools take for line breaks or separators: a file, and Python', async () => {
    const cells = [...'\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\t ;', '\r\n'].map((part) => `a${part}b`)
    const rows = [['id', 'name'], ...cells.map((cell, at) => [String(at), cell])]
    const csv = rows.map((row) => row.map((cell) => (/[\r\n]/.test(cell) ? `"${cell}"` : cell)).join(',')).join('\n')
    await writeFile(join(folder, 'list.csv'), `${csv}\n99,a\u2028b\n`)
    expect(await inShell(codeOf('CSV rows'))).toBe(`${csv}\n`)
    expect(await rowsInPython()).toEqual(rows)
  })
})

/** The rows that the recipe prints. */
async function rowsInPython(): Promise<unknown> {
  const code = codeOf('Python 3').replace('print(row)', 'print(json.dumps(row))')
  await writeFile(join(folder, 'recipe.py'), code)
  return (await inShell('python3 recipe.py'))
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row))
}

async function inShell(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder })
  return stdout
}

/** Google's `UrlFetchApp.fetch`, which is synchronous. */
function fetchAtOnce(url: string, options: { method: string; contentType: string; payload: string }) {
  const { method, contentType, payload } = options
  const args = ['-s', '-X', method.toUpperCase(), '-H', `Content-Type: ${contentType}`, '--data-binary', '@-', url]
  const text = execFileSync('curl', [...args, '-w', '\n%{http_code}'], { input: payload, encoding: 'utf8' })
  const end = text.lastIndexOf('\n')
  return { getContentText: () => text.slice(0, end), getResponseCode: () => Number(text.slice(end + 1)) }
}
