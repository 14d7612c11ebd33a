import { sql } from 'kysely'
import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'
import { ApiError } from './api-error.ts'

/** The maximum size of the documents of a page, in bytes. */
const maxPageBytes = 64 * 1024 * 1024

interface DocumentsOf<TTable extends keyof Tables> {
  readonly table: TTable
  /** The column that contains one of the ids. */
  readonly by: 'id' | 'runId'
  readonly ids: readonly string[]
  /** The columns whose size nothing else limits. */
  readonly columns: readonly (keyof Tables[TTable] & string)[]
}

/** Documents that a page shows. */
export type PageDocuments = { readonly [TTable in keyof Tables]: DocumentsOf<TTable> }[keyof Tables]

/**
 * Checks the size of a page before it is read, because reading and writing it takes several times as much memory.
 *
 * @throws {ApiError} 413 if it is too large.
 */
export async function refuseLargePage(db: Session, ...documents: readonly PageDocuments[]): Promise<void> {
  const sizes = await Promise.all(documents.map((each) => sizeOf(db, each)))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes <= maxPageBytes) return
  const [size, max] = [bytes, maxPageBytes].map((count) => Math.ceil(count / 1024 / 1024))
  throw new ApiError(413, `The response would have ${size} MiB, and can have at most ${max} MiB. Ask for fewer items.`)
}

async function sizeOf(db: Session, { table, by, ids, columns }: PageDocuments): Promise<number> {
  if (ids.length === 0) return 0
  const lengths = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const { rows } = await sql<{ readonly bytes: number | null }>`select sum(${sql.join(lengths, sql` + `)}) as "bytes"
    from ${sql.table(table)} where ${sql.ref(by)} in (${sql.join(ids)})`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
