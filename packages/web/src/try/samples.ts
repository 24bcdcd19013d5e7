import type { Mode } from '@keepfirst/protocol'

/** The initial content of the editor. With the API's default options, each sample has duplicates. */
export const SAMPLES: Record<Mode, string> = {
  lines: `ana@example.com
ben@example.com
cleo@example.com
ana@example.com
Ben@Example.com
dora@example.com
cleo@example.com`,
  rows: `name,city,phone
John Smyth,Leeds,0113 496 0101
Mary Jones,York,01904 496 0117
"Smith, John",Leeds,0113 496 0101
Ana Prado,Porto,223 401 555
Mary Jones,York,01904 496 0117
Jones Mary,York,01904 496 0118`,
  json: `[
  { "id": 9007199254740993, "plan": "free" },
  { "id": 9007199254740992, "plan": "free" },
  { "plan": "free", "id": 9007199254740993 },
  { "id": 9007199254740993, "plan": "pro" },
  { "id": 9007199254740993, "plan": "free" }
]`,
}

/** Whether a text is the unchanged sample of any mode. */
export function isSample(text: string): boolean {
  return Object.values(SAMPLES).includes(text)
}
