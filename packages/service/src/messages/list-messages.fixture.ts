import { sql } from 'kysely'
import { blankMessage } from '../store/blank-rows.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'

/** The owner of the messages, by row ids. */
export const owner = { environmentId: 'e', subscriberId: 's' } as const

const filled = {
  ...{ ...blankMessage, ...owner, runId: 'r', jobId: 'j', workflowId: 'w', workflowIdentifier: 'w' },
  ...{ transactionId: 't', channel: 'in_app', status: 'sent', createdAt: 1, updatedAt: 1 },
}

/**
 * Inserts sent in-app messages in one statement. Their ids are a prefix and a number from 1; a higher number is a newer
 * message.
 */
export async function addMessages(
  { db, driver }: Pick<Store, 'db' | 'driver'>,
  { prefix, count }: { readonly prefix: string; readonly count: number },
  fields: Partial<MessageRow> = {},
): Promise<void> {
  const columns = Object.entries({ ...filled, ...fields }).filter(([, value]) => value !== null)
  const numbers =
    driver === 'postgres'
      ? sql`select n from generate_series(1, ${sql.lit(count)}) as g(n)`
      : sql`with recursive g(n) as (select 1 union all select n + 1 from g where n < ${sql.lit(count)}) select n from g`
  const digits = driver === 'postgres' ? sql`lpad(n::text, 8, '0')` : sql`printf('%08d', n)`
  const id = sql`${sql.lit(prefix)} || ${digits}`
  await sql`insert into "messages" ("id", "dedupeKey", ${sql.join(columns.map(([name]) => sql.ref(name)))})
    select ${id}, ${id}, ${sql.join(columns.map(([, value]) => sql.lit(value)))}
    from (${numbers}) as "numbers"`.execute(db)
}
