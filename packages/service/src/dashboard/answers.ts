import type { Problem, ProblemAnswer } from '@keepfirst/protocol'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'

const STATUS: { readonly [Kind in Problem]: number } = {
  'invalid input': 400,
  'common password': 400,
  'signed out': 401,
  'wrong credentials': 401,
  'sign-up closed': 403,
  'foreign origin': 403,
  'not found': 404,
  'key limit': 409,
  'export under way': 409,
  'link expired': 410,
  'too many attempts': 429,
  'internal error': 500,
  busy: 503,
}

/** Sets the status for a problem and returns the body to send. */
export function problem(reply: FastifyReply, error: Problem, more: Omit<ProblemAnswer, 'error'> = {}): ProblemAnswer {
  reply.code(STATUS[error])
  return { error, ...more }
}

/** The validated input, or the answer that names the first invalid member. */
export function readInput<Input>(
  schema: z.ZodType<Input>,
  given: unknown,
  reply: FastifyReply,
): { readonly ok: true; readonly input: Input } | { readonly ok: false; readonly answer: ProblemAnswer } {
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, input: read.data }
  const field = read.error.issues[0]?.path.join('.') ?? ''
  return { ok: false, answer: problem(reply, 'invalid input', field === '' ? {} : { field }) }
}
