// Loaded into servers under test: makes hashing a password nearly free instead of a tenth of a second of CPU.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 16 }, done)
syncBuiltinESMExports()
