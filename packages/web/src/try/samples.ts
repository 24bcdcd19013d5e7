import type { Mode } from '@keepfirst/protocol'

/** What stands in the editor until something else does. Each shows what other tools get wrong. */
export const SAMPLES: Record<Mode, string> = {
  lines: `ana@example.com
ben@example.com
cleo@example.com
ana@example.com
Ben@Example.com
dora@example.com
cleo@example.com`,
  rows: `id,name,city
1,John Smyth,Leeds
2,Mary Jones,York
3,"Smith, John",Leeds
4,Ana Prado,Porto
5,Mary Jones,York
6,Jones Mary,York`,
  json: `[
  { "id": 9007199254740993, "plan": "free" },
  { "id": 9007199254740992, "plan": "free" },
  { "plan": "free", "id": 9007199254740993 },
  { "id": 9007199254740993, "plan": "pro" },
  { "id": 9007199254740993, "plan": "free" }
]`,
}

export function isSample(text: string): boolean {
  return Object.values(SAMPLES).includes(text)
}
