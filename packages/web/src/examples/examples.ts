import {
  completeOptions,
  type DedupeRequest,
  flagsOf,
  type Mode,
  shellWord,
  type ValidateRequest,
} from '@keepfirst/protocol'
import { pythonString, pythonValue, scriptString, scriptValue } from './literals.ts'

/*
 * API requests as runnable programs. Pure. JSON lists remain text throughout: parsing them would lose digits.
 */

/** Where an example takes its list from. */
export type ListData =
  /** Written in the example: the lines, the CSV, or the text of a JSON array. */
  | { readonly from: 'example'; readonly text: string }
  /** A file that can be sent as it is, or that has one JSON value per line. */
  | { readonly from: 'file'; readonly name: string; readonly isJsonLines?: boolean }
  /** A file of rows with another separator, whose request is in the file `request.json`. */
  | { readonly from: 'request'; readonly name: string; readonly separator: string }

/** A request to show. */
export type ExampleCall =
  | {
      readonly mode: Mode
      readonly data: ListData
      /** Only those that are set. */
      readonly options: { readonly [name: string]: unknown }
      readonly keyed: boolean
    }
  | { readonly emails: readonly string[] }

type ListCall = Extract<ExampleCall, { mode: Mode }>
type ModeOptions = Pick<ListCall, 'mode' | 'options'>

export interface Example {
  readonly language: Language
  readonly code: string
  /** What it requires, with the minimum version. */
  readonly needs: string
}

export const LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  typescript: 'TypeScript client',
  local: 'Command line',
} as const
export type Language = keyof typeof LANGUAGES

/** The file that holds a whole request. */
export const REQUEST_FILE = 'request.json'
/** The environment variable in which examples look for the key. */
export const KEY_VARIABLE = 'KEEPFIRST_KEY'

/** Converts an API request to a call to show. */
export function callOf(request: DedupeRequest | ValidateRequest): ExampleCall {
  if ('emails' in request) return request
  const { mode, data, options = {} } = request
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const given = Object.fromEntries(Object.entries(options))
  return { mode, options: given, data: { from: 'example', text }, keyed: 'fuzzy' in options && options.fuzzy === true }
}

/**
 * The request in every language that can express it.
 * @param origin the server's address, without a trailing slash
 */
export function examplesOf(origin: string, call: ExampleCall): Example[] {
  const http: Example[] = [
    { language: 'curl', code: curl(origin, call), needs: 'Runs in sh, bash and zsh.' },
    { language: 'javascript', code: javascript(origin, call), needs: 'Runs in Node.js 20 and newer, as a module.' },
    { language: 'python', code: python(origin, call), needs: 'Runs in Python 3.9 and newer; nothing to install.' },
    {
      language: 'typescript',
      code: client(origin, call),
      needs: 'Needs @keepfirst/client; waits and retries by itself.',
    },
  ]
  if (!('mode' in call)) return http
  return [
    ...http,
    { language: 'local', code: local(call), needs: 'Runs on your machine: no limits, no key, nothing is sent.' },
  ]
}

function pathOf(call: ExampleCall): string {
  return 'mode' in call ? '/api/dedupe' : '/api/validate'
}

function isKeyed(call: ExampleCall): boolean {
  return 'mode' in call ? call.keyed : true
}

/** The JSON text of the body, before and after the data. */
function bodyAround({ mode, options }: ModeOptions): [before: string, after: string] {
  const optionsText = Object.keys(options).length === 0 ? '' : `,"options":${JSON.stringify(options)}`
  return [`{"mode":"${mode}","data":`, `${optionsText}}`]
}

/** The whole body as one text, for a list written in the example. */
export function bodyOf(call: ModeOptions, text: string): string {
  const [before, after] = bodyAround(call)
  return `${before}${call.mode === 'json' ? text.trim() : JSON.stringify(text)}${after}`
}

/**
 * The request for curl.
 * @param key the key as the shell reads it between double quotes
 */
export function curl(origin: string, call: ExampleCall, key = `$${KEY_VARIABLE}`): string {
  return [
    `curl ${shellWord(origin + pathOf(call))}`,
    `-H 'Content-Type: application/json'`,
    ...(isKeyed(call) ? [`-H "Authorization: Bearer ${key}"`] : []),
    `--data-binary ${body()}`,
  ].join(' \\\n  ')

  function body(): string {
    if (!('mode' in call)) return shellWord(JSON.stringify(call))
    return call.data.from === 'example' ? shellWord(bodyOf(call, call.data.text)) : `@${REQUEST_FILE}`
  }
}

const READ_FILE = `import { readFile } from 'node:fs/promises'`

function javascript(origin: string, call: ExampleCall): string {
  const isText = 'mode' in call && call.mode === 'json'
  const { before, body } = scriptBody(call)
  return [
    ...before,
    `const response = await fetch(${scriptString(origin + pathOf(call))}, {`,
    `  method: 'POST',`,
    `  headers: {`,
    `    'Content-Type': 'application/json',`,
    ...(isKeyed(call) ? [`    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,`] : []),
    `  },`,
    `  body: ${body},`,
    `})`,
    `if (!response.ok) throw new Error(await response.text())`,
    ...(isText ? ['// As text, so that numbers keep every digit'] : []),
    `console.log(await response.${isText ? 'text' : 'json'}())`,
  ].join('\n')
}

/** The body in JavaScript, and the statements that have to precede it. */
function scriptBody(call: ExampleCall): { readonly before: readonly string[]; readonly body: string } {
  if (!('mode' in call)) return { before: [], body: `JSON.stringify(${scriptValue(call)})` }
  const { mode, data, options } = call
  if (data.from === 'request') return { before: [READ_FILE, ''], body: `await readFile('${REQUEST_FILE}')` }
  const before = scriptData(data, mode)
  const read = data.from === 'file' ? [READ_FILE, '', ...before, ''] : [...before, '']
  if (mode === 'json') {
    const [start, end] = bodyAround(call)
    return { before: read, body: `${scriptString(start)} + data + ${scriptString(end)}` }
  }
  const optionsText = Object.keys(options).length === 0 ? '' : `, options: ${scriptValue(options)}`
  return { before: read, body: `JSON.stringify({ mode: '${mode}', data${optionsText} })` }
}

/**
 * The line break after a JSON value that another one follows, as a pattern in JavaScript and Python. JSON has other line
 * breaks only next to the brackets, commas and colons of a value.
 */
const BETWEEN_VALUES = String.raw`(?<=[^\[{,:\s])\s*\n\s*(?=[^\]},:\s])`
const BETWEEN_VALUES_NOTE = 'A comma for each line break between two values'

/** The statements that define the list `data` in JavaScript. A JSON text is trimmed, also of a byte-order mark. */
function scriptData(data: Exclude<ListData, { from: 'request' }>, mode: Mode): string[] {
  if (data.from === 'example') return [`const data = ${scriptString(data.text)}`]
  const read = `await readFile(${scriptString(data.name)}, 'utf8')`
  if (mode !== 'json') return [`const data = ${read}`]
  if (!data.isJsonLines) return [`const data = (${read}).trim()`]
  return [
    `const text = (${read}).trim()`,
    `// ${BETWEEN_VALUES_NOTE}`,
    `const data = \`[\${text.replace(/${BETWEEN_VALUES}/g, ',')}]\``,
  ]
}

function client(origin: string, call: ExampleCall): string {
  const key = isKeyed(call) ? [`  apiKey: process.env.${KEY_VARIABLE},`] : []
  const imports = [`import { Keepfirst } from '@keepfirst/client'`]
  const made = ['const keepfirst = new Keepfirst({', `  baseUrl: ${scriptString(origin)},`, ...key, '})']
  if (!('mode' in call)) {
    return [...imports, '', ...made, `console.log(await keepfirst.validate(${scriptValue(call.emails)}))`].join('\n')
  }
  const { mode, data, options } = call
  const optionsText = Object.keys(options).length === 0 ? '' : `, ${scriptValue(options)}`
  const read =
    data.from === 'request'
      ? [`const { data } = JSON.parse(await readFile('${REQUEST_FILE}', 'utf8'))`]
      : scriptData(data, mode)
  const all = data.from === 'example' ? imports : [READ_FILE, ...imports]
  const method = mode === 'json' ? 'jsonText' : mode
  return [...all, '', ...read, '', ...made, `console.log(await keepfirst.${method}(data${optionsText}))`].join('\n')
}

function python(origin: string, call: ExampleCall): string {
  const isText = 'mode' in call && call.mode === 'json'
  const isJsonLines = isText && call.data.from === 'file' && call.data.isJsonLines
  const { before, body } = pythonBody(call)
  const keyed = isKeyed(call)
  return [
    ...(isText ? [] : ['import json']),
    ...(keyed ? ['import os'] : []),
    ...(isJsonLines ? ['import re'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    ...before,
    'request = urllib.request.Request(',
    `    ${pythonString(origin + pathOf(call))},`,
    `    data=${body},`,
    '    headers={',
    '        "Content-Type": "application/json",',
    ...(keyed ? [`        "Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],`] : []),
    '    },',
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        answer = response.read().decode()',
    'except urllib.error.HTTPError as refusal:',
    '    raise SystemExit(refusal.read().decode())',
    ...(isText ? ['# Left as text, so that numbers keep every digit', 'print(answer)'] : ['print(json.loads(answer))']),
  ].join('\n')
}

/** The body in Python, and the statements that have to precede it. */
function pythonBody(call: ExampleCall): { readonly before: readonly string[]; readonly body: string } {
  if (!('mode' in call)) return { before: [], body: `json.dumps(${pythonValue(call)}).encode()` }
  const { mode, data, options } = call
  if (data.from === 'request') return { before: [], body: `open("${REQUEST_FILE}", "rb").read()` }
  const before = [...pythonData(data, mode), '']
  if (mode === 'json') {
    const [start, end] = bodyAround(call)
    return { before, body: `(${pythonString(start)} + data + ${pythonString(end)}).encode()` }
  }
  const optionsText = Object.keys(options).length === 0 ? '' : `, "options": ${pythonValue(options)}`
  return { before, body: `json.dumps({"mode": "${mode}", "data": data${optionsText}}).encode()` }
}

/** The statements that define the list `data` in Python. */
function pythonData(data: Exclude<ListData, { from: 'request' }>, mode: Mode): string[] {
  if (data.from === 'example') return [`data = ${pythonString(data.text)}`]
  const encoding = mode === 'json' ? 'utf-8-sig' : 'utf-8'
  const open = `with open(${pythonString(data.name)}, encoding="${encoding}", newline="") as file:`
  if (!data.isJsonLines) return [open, '    data = file.read()']
  return [
    open,
    '    text = file.read().strip()',
    `# ${BETWEEN_VALUES_NOTE}`,
    `data = "[" + re.sub(r"${BETWEEN_VALUES}", ",", text) + "]"`,
  ]
}

function local({ mode, options, data }: ListCall): string {
  const flags = flagsOf(mode, completeOptions(mode, options)).map(shellWord)
  if (data.from === 'example')
    return [`printf %s ${shellWord(data.text)} |`, ['keepfirst', mode, ...flags].join(' ')].join('\n  ')
  const separator =
    data.from === 'request' ? ['--delimiter', shellWord(data.separator === '\t' ? '\\t' : data.separator)] : []
  return ['keepfirst', mode, ...flags, ...separator, shellWord(data.name)].join(' ')
}
