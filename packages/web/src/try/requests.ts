import { shellWord } from '../examples/literals.ts'

/** The curl command that sends `body` (or the file of that name, after an `@`), for sh, bash and zsh. */
export function curlRequest(url: string, body: string, keyed: boolean): string {
  return [
    `curl ${shellWord(url)}`,
    `-H 'Content-Type: application/json'`,
    ...(keyed ? [`-H "Authorization: Bearer $KEEPFIRST_KEY"`] : []),
    `--data-binary ${shellWord(body)}`,
  ].join(' \\\n  ')
}
