import { expectAnswer, SqliteConnection } from '../../src/store/sqlite-connection.ts'
import type { SqliteDatabase } from '../../src/store/sqlite-driver.ts'
import type { SqliteExecutor } from '../../src/store/sqlite-thread-protocol.ts'

/** A connection in the current thread; `close` leaves the handle to its owner. */
export function executeHere(database: SqliteDatabase): SqliteExecutor {
  const connection = new SqliteConnection(database)
  return {
    ask: async (request, kind) => expectAnswer(connection.answer(request), kind),
    close: async () => {},
  }
}
