import { sql } from 'kysely'
import type { Tables } from '../store/schema/tables.ts'
import type { Session, Store } from '../store/store.ts'
import { UnsealableError, type Vault } from './vault.ts'

const batch = 100

interface SealedColumn {
  readonly table: keyof Tables
  readonly column: string
  readonly keys: readonly [string, ...string[]]
}

/** All encrypted data at rest. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'integrations', column: 'credentials', keys: ['id'] },
  { table: 'variableValues', column: 'value', keys: ['variableId', 'environmentId'] },
  { table: 'channelConnections', column: 'auth', keys: ['id'] },
  { table: 'channelEndpoints', column: 'endpoint', keys: ['id'] },
  { table: 'messages', column: 'delivery', keys: ['id'] },
  { table: 'webhookEndpoints', column: 'secrets', keys: ['id'] },
  { table: 'idempotency', column: 'body', keys: ['key'] },
  // Startup checks these, so they are renewed after everything else that may need a previous key.
  { table: 'apiKeys', column: 'sealed', keys: ['environmentId'] },
]

/** The result of a renewal. */
export interface Renewal {
  /** The number of renewed secrets. */
  readonly renewed: number
  /** The number of secrets that could not be decrypted, by table. */
  readonly unopened: Readonly<Record<string, number>>
}

/** Re-encrypts data encrypted with a previous key with the current key. Concurrent changes are kept. */
export async function renewSecrets(store: Store, vault: Vault, signal: AbortSignal): Promise<Renewal> {
  let renewed = 0
  const unopened: Record<string, number> = {}
  for (const column of sealedColumns) {
    let rows: readonly SealedRow[] = []
    do {
      if (signal.aborted) break
      rows = await readBatch(store.db, column, rows.at(-1))
      const renewals = rows.map((row) => ({ row, fresh: renew(vault, row, column) }))
      const lost = renewals.filter(({ fresh }) => fresh === null).length
      if (lost > 0) unopened[column.table] = (unopened[column.table] ?? 0) + lost
      renewed += await store.transaction((tx) => writeBatch(tx, column, renewals))
    } while (rows.length === batch)
  }
  return { renewed, unopened }
}

/** The primary key and the encrypted text. */
type SealedRow = Readonly<Record<string, string>> & { readonly sealed: string }

interface RowRenewal {
  readonly row: SealedRow
  /** The re-encrypted text; undefined if not needed, null if it cannot be decrypted. */
  readonly fresh: string | null | undefined
}

function renew(vault: Vault, row: SealedRow, { table, column, keys }: SealedColumn): RowRenewal['fresh'] {
  const { sealed } = row
  try {
    return vault.renew(sealed, { table, column, key: keys.map((name) => row[name] ?? '') })
  } catch (error) {
    if (error instanceof UnsealableError) return null
    throw error
  }
}

async function readBatch(
  db: Session,
  { table, column, keys }: SealedColumn,
  after: SealedRow | undefined,
): Promise<readonly SealedRow[]> {
  const key = sql.join(keys.map((name) => sql.ref(name)))
  const isBehind = after ? sql`and (${key}) > (${sql.join(keys.map((name) => after[name]))})` : sql``
  const text = sql.ref(column)
  const { rows } = await sql<SealedRow>`
    select ${key}, ${text} as "sealed" from ${sql.table(table)}
    where ${text} is not null ${isBehind} order by ${key} limit ${sql.lit(batch)}`.execute(db)
  return rows
}

async function writeBatch(
  tx: Session,
  { table, column, keys }: SealedColumn,
  renewals: readonly RowRenewal[],
): Promise<number> {
  let count = 0
  for (const { row, fresh } of renewals) {
    if (typeof fresh !== 'string') continue
    const isRow = sql.join(
      keys.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
      sql` and `,
    )
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
      where ${isRow} and ${sql.ref(column)} = ${row.sealed}`.execute(tx)
    count += Number(numAffectedRows)
  }
  return count
}
