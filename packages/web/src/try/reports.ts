import { spokenOptions, unreachable } from '@keepfirst/protocol'
import { bodyOf } from '../examples/examples.ts'
import { csvRow } from './engine.ts'
import { isFuzzy } from './question.ts'
import type { Run } from './run.ts'

/*
 * The files that a run can be saved as.
 */

const ENTRIES_AT_ONCE = 4_096

/**
 * What was removed, in the form of the command line's `--removed`: position and survivor's position, from 1, before
 * each entry; for fuzzy rows the similarity too.
 */
export async function removedReport(run: Run): Promise<Blob> {
  const { judged, task } = run
  const { mode } = task.question
  const hasSimilarity = isFuzzy(task.question)
  const entries = run.removedEntries()
  const parts: string[] = []
  if (judged.header.length > 0) {
    parts.push(`${csvRow(['position', 'survivor', ...(hasSimilarity ? ['similarity'] : []), ...judged.header])}\n`)
  }
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const some = entries.slice(from, from + ENTRIES_AT_ONCE)
    const cells = await judged.show(some)
    const lines = some.map((entry, at) => {
      const position = entry + 1
      const survivor = (judged.survivorOf[entry] ?? entry) + 1
      const shown = cells[at] ?? []
      switch (mode) {
        case 'lines':
          return `${position}\t${survivor}\t${shown[0]}\n`
        case 'json':
          return `{"position":${position},"survivor":${survivor},"item":${shown[0]?.replaceAll(/[\r\n]/g, ' ')}}\n`
        case 'rows': {
          const similarity = hasSimilarity ? [judged.similarity(entry).toFixed(4)] : []
          return `${csvRow([String(position), String(survivor), ...similarity, ...shown])}\n`
        }
        default:
          return unreachable(mode)
      }
    })
    parts.push(lines.join(''))
  }
  return new Blob(parts)
}

/** The body of the request to the API that asks the same of `data`. */
export function requestBody({ task: { question } }: Run, data: string): string {
  const options = spokenOptions(question.mode, question.options)
  return bodyOf({ mode: question.mode, options }, data)
}

/**
 * The list as the API takes it: the text as it is, rows with other separators written with commas, JSON values
 * as the text of one array.
 */
export async function requestData(run: Run, text: string): Promise<string> {
  const { judged, task } = run
  if (judged.isJsonLines) return `[${(await allCells(run)).flat().join(',')}]`
  if (task.question.mode !== 'rows' || task.separator === ',') return text
  return [...(judged.header.length > 0 ? [judged.header] : []), ...(await allCells(run))].map(csvRow).join('\n')
}

function allCells({ judged }: Run): Promise<string[][]> {
  return judged.show(Array.from({ length: judged.count }, (_, entry) => entry))
}
