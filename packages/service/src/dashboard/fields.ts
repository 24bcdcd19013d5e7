import { FIELD_LIMITS } from '@keepfirst/protocol'
import { z } from 'zod'

/* What people type, as it comes in. */

export const EMAIL: z.ZodType<string> = z.email().max(FIELD_LIMITS.email)
/** One that is to be checked: whatever it is. */
export const PASSWORD: z.ZodType<string> = z.string().min(1).max(FIELD_LIMITS.passwordMost)
/** One that is to be set. */
export const NEW_PASSWORD: z.ZodType<string> = z.string().min(FIELD_LIMITS.passwordLeast).max(FIELD_LIMITS.passwordMost)
