import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import Database from 'libsql'
import { checkParameter } from './check-parameter.ts'
import { guardDatabase } from './faults/lost-database.ts'
import { createReadDialect } from './reading/read-dialect.ts'
import type { Tables } from './schema/tables.ts'
import { createSqliteDialect, type OpenDatabase } from './sqlite-dialect.ts'
import type { Session, Store } from './store.ts'
import { createTransactions, isInTransaction } from './transactions.ts'

/**
 * Opens an embedded database; several processes on one machine can share its file.
 *
 * @param file - The path, created with its folder if missing; `:memory:` for an in-memory database.
 */
export function openSqliteStore(file: string): Store {
  const db: Session = new Kysely<Tables>({
    dialect: createSqliteDialect(
      () => open(file),
      () => !isInTransaction(db),
    ),
  })
  // It has one writer at a time, so every transaction is serializable.
  const never = () => false
  const transactions = createTransactions(db, { isTransient: never, isRace: never, hasLevels: false })
  // A database in memory exists for one connection only.
  const reads: Session =
    file === ':memory:' ? db : new Kysely<Tables>({ dialect: createReadDialect(file, checkParameter) })
  const close = async (): Promise<void> => {
    if (reads !== db) await reads.destroy()
    await db.destroy()
  }
  return { driver: 'sqlite', db, reads, ...transactions, close }
}

function open(file: string): OpenDatabase {
  if (file !== ':memory:') create(file)
  const database = new Database(file)
  database.pragma('busy_timeout = 2000')
  database.pragma('journal_mode = WAL')
  // With a write-ahead log, nothing is lost if the process dies; a crash of the machine can lose the last commits.
  database.pragma('synchronous = NORMAL')
  // 16 MiB, so that the inner pages of large indexes stay cached.
  database.pragma('cache_size = -16384')
  // The first read creates the log, so that its loss is noticed from the start.
  database.pragma('user_version')
  // From here on, the dialect waits for other processes without blocking this process.
  database.pragma('busy_timeout = 0')
  const moveLog = (): void => void database.pragma('wal_checkpoint(TRUNCATE)')
  const close = (): void => {
    try {
      // SQLite only does this itself if no statements are prepared; afterwards, a copy of the database file alone is
      // complete.
      moveLog()
    } catch {
      // Another process writes, or the disk is full: the log remains, and is read at the next start.
    }
    database.close()
  }
  return { database, guard: guardDatabase(file, moveLog), close }
}

/**
 * New files are readable only by their owner, because they contain names, addresses and messages. SQLite gives its log
 * the same permissions.
 */
function create(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch {
    // The driver reports why it cannot be created.
  }
}
