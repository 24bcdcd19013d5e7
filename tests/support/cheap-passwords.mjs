// Loaded into servers under test: hashing a password costs them next to nothing, a tenth of a second of CPU in life.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 16 }, done)
syncBuiltinESMExports()
