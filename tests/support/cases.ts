import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './server.ts'

/** A request and the expected members of its answer. */
export interface Case {
  readonly id: string
  readonly what: string
  readonly keyed?: boolean
  readonly body?: string
  readonly bodyBase64?: string
  readonly expect: { readonly status: number; readonly resultText?: string } & Readonly<Record<string, unknown>>
}

/** Bugs that users reported in comparable tools. */
export const REPORTED = casesOf('dedupe.json')
/** Related cases. */
export const RELATED = casesOf('dedupe-related.json')

function casesOf(file: string): readonly Case[] {
  return JSON.parse(readFileSync(join(REPOSITORY, 'tests/spec/cases', file), 'utf8'))
}

/** The members of an answer that a case specifies. */
export function specifiedMembersOf(answer: Readonly<Record<string, unknown>>, given: Case): Record<string, unknown> {
  return Object.fromEntries(Object.keys(given.expect).map((name) => [name, answer[name]]))
}

/** JSON text without the white space outside strings, as cases write `resultText`. */
export function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}
