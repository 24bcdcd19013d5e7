import { FIELD_LIMITS } from '@keepfirst/protocol'
import { z } from 'zod'

/* Validation of typed input. */

export const EMAIL: z.ZodType<string> = z.email().max(FIELD_LIMITS.email)
/** A password to be checked, without further rules. */
export const PASSWORD: z.ZodType<string> = z.string().min(1).max(FIELD_LIMITS.passwordMost)
/** A password to be set. */
export const NEW_PASSWORD: z.ZodType<string> = z.string().min(FIELD_LIMITS.passwordLeast).max(FIELD_LIMITS.passwordMost)
