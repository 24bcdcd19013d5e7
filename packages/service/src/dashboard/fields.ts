import { FIELD_LIMITS } from '@keepfirst/protocol'
import { z } from 'zod'
import { accountEmail } from '../accounts/accounts.ts'

/* Validation of typed input. */

/** The address of an account, which its operator may have chosen. */
export const EMAIL: z.ZodType<string> = z.string().transform(accountEmail).pipe(z.string())
/** An address to sign up with: anybody may give one, so it has to be one that mail can be sent to. */
export const NEW_EMAIL: z.ZodType<string> = z.email().max(FIELD_LIMITS.email)
/** A password to be checked, without further rules. */
export const PASSWORD: z.ZodType<string> = z.string().min(1).max(FIELD_LIMITS.passwordMost)
/** A password to be set. */
export const NEW_PASSWORD: z.ZodType<string> = z.string().min(FIELD_LIMITS.passwordLeast).max(FIELD_LIMITS.passwordMost)
