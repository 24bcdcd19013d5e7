import { expect, test } from 'vitest'
import { ConfirmingWriter, NotWritten } from '../../src/store/confirming-writer.ts'
import { AnswerLost, type BatchAnswer, emptyParts, type LedgerBatch } from '../../src/store/ledger-driver.ts'
import { ManualClock } from '../support/manual-clock.ts'

/*
 * A batch whose answer is lost or late: the writer inquires until the outcome is certain.
 */

const BATCH: LedgerBatch = { id: 'batch', at: 0, ...emptyParts() }
const ANSWER: BatchAnswer = { months: [[1, 0]], days: [] }
const LOST = new AnswerLost('the connection was closed')

type Reply<Answer> = () => Promise<Answer>

const answers =
  <Answer>(answer: Answer): Reply<Answer> =>
  async () =>
    answer
const fails =
  (error: Error): Reply<never> =>
  async () => {
    throw error
  }
const isSilent: Reply<never> = () => new Promise(() => {})

/** A database that replies to one write and to a series of inquiries; its last reply holds from then on. */
function writing(write: Reply<BatchAnswer>, inquiries: readonly Reply<BatchAnswer | 'never'>[] = []) {
  const clock = new ManualClock()
  const events: unknown[] = []
  const left = [...inquiries]
  const writer = new ConfirmingWriter({
    clock,
    driver: {
      concurrency: 1,
      write,
      settle: () => {
        events.push(clock.monotonicMs())
        const reply = left.length > 1 ? left.shift() : left[0]
        return reply?.() ?? isSilent()
      },
    },
    onLost: (error) => events.push(error),
    onSettled: (wasWritten) => events.push({ wasWritten }),
  })
  const outcome = writer.write(BATCH).then(
    (answer) => void events.push(answer),
    (error: unknown) => void events.push(error),
  )
  return { clock, events, outcome, writer }
}

test.each([
  { name: 'an answer', reply: answers(ANSWER), inquiries: [], events: [ANSWER] },
  { name: 'a failure that wrote nothing', reply: fails(new Error('down')), inquiries: [], events: [new Error('down')] },
  {
    name: 'a lost answer, written',
    reply: fails(LOST),
    inquiries: [answers(ANSWER)],
    events: [LOST, 0, { wasWritten: true }, ANSWER],
  },
  {
    name: 'a lost answer, not written',
    reply: fails(LOST),
    inquiries: [answers('never' as const)],
    events: [
      LOST,
      0,
      { wasWritten: false },
      new NotWritten('the answer to a commit was lost, and nothing was written'),
    ],
  },
])('$name', async ({ reply, inquiries, events: expected }) => {
  const { clock, events, outcome } = writing(reply, inquiries)
  await outcome
  expect(events).toEqual(expected)
  expect(clock.planned).toBe(0)
})

test('an answer is late after six seconds', async () => {
  const { clock, events } = writing(isSilent, [answers(ANSWER)])
  await clock.advance(5_999)
  expect(events).toEqual([])
  await clock.advance(1)
  expect(events).toEqual([new AnswerLost('the database did not answer in time'), 6_000, { wasWritten: true }, ANSWER])
})

test('pauses between inquiries double, up to a second', async () => {
  const { clock, events } = writing(fails(LOST), [fails(new Error('down'))])
  await clock.advance(5_000)
  const [, ...inquiriesAt] = events
  expect(inquiriesAt).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550])
})

test('an inquiry may be late, too', async () => {
  const { clock, events } = writing(fails(LOST), [isSilent, answers(ANSWER)])
  await clock.advance(6_050)
  expect(events).toEqual([LOST, 0, 6_050, { wasWritten: true }, ANSWER])
})

test('once abandoned, it ends with the next inquiry that fails', async () => {
  const down = new Error('down')
  const { clock, events, writer } = writing(fails(LOST), [fails(down)])
  await clock.advance(10)
  writer.abandon()
  await clock.advance(40)
  expect(events).toEqual([LOST, 0, 50, down])
  expect(clock.planned).toBe(0)
})
