import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { toObject } from '../../json/json.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { triggerLine } from '../../resources/studio/runs.ts'
import type { TriggerRow } from '../../store/schema/run.ts'

/** Operations that show the outcome of accepted triggers, including those without a run. */
export const studioTriggerOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'studio.triggerList',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/triggers',
    summary: 'Lists accepted triggers with their outcome, newest first',
    category: 'global',
    wrapped: false,
    query: z.strictObject({ ...cursorFields(['createdAt']), transactionId: queryText() }),
    output: cursorPageOf(triggerLine),
    async handler({ store, environment }, { query }) {
      const { transactionId } = query
      const source = {
        from: sql`"triggers"`,
        select: sql`"triggers".*`,
        where: [
          sql`"environmentId" = ${environment.id}`,
          ...(transactionId === undefined ? [] : [sql`"transactionId" = ${transactionId}`]),
        ],
        id: sql`"id"`,
      }
      const page = await readCursorPage<TriggerRow>(store.db, source, query)
      return { ...page, data: page.data.map(showTrigger) }
    },
  }),
])

function showTrigger(row: TriggerRow): JsonObject {
  return {
    _id: row.id,
    transactionId: row.transactionId,
    workflowId: row.workflowIdentifier,
    kind: row.kind,
    status: row.status,
    error: row.error === null ? null : String(toObject(JSON.parse(row.error))['message']),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
