import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { notFound, refuseTaken } from '../../api/api-error.ts'
import { contextName } from '../../api/context-fields.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { jsonObject, queryText, webAddress } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { context } from '../../resources/context.ts'
import { named } from '../../resources/named.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { createId } from '../../store/create-id.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { ContextRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

const bridgeUrl = webAddress()
const common = { category: 'global', wrapped: false } as const
const path = '/v2/contexts'

/** Operations on contexts: the subject of a run, such as an account or a project. */
export const contextOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'contexts.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the contexts',
    query: z.strictObject({
      ...cursorFields(['createdAt', 'updatedAt']),
      id: queryText(),
      type: queryText(),
      search: queryText(),
    }),
    output: cursorPageOf(context),
    async handler({ store, environment }, { query }) {
      const { id, type, search } = query
      const page = await readCursorPage<ContextRow>(
        store.db,
        {
          from: sql`"contexts"`,
          select: sql`*`,
          where: [
            sql`"environmentId" = ${environment.id}`,
            ...(id === undefined ? [] : [sql`"contextId" = ${id}`]),
            ...(type === undefined ? [] : [sql`"type" = ${type}`]),
            ...(search === undefined ? [] : [holdsAnyCase(sql`("type" || ':' || "contextId")`, search)]),
          ],
          id: sql`"id"`,
          order: { createdAt: sql`"createdAt"`, updatedAt: sql`"updatedAt"` },
        },
        query,
      )
      return { ...page, data: page.data.map(show) }
    },
  }),
  operation({
    ...common,
    name: 'contexts.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a context',
    status: 201,
    body: named(
      'NewContext',
      'A new context.',
      z.strictObject({
        type: contextName.describe('The type: lower-case letters, digits and separators.'),
        id: contextName.describe('The id: lower-case letters, digits and separators.'),
        data: jsonObject().optional().describe('Custom data.'),
        bridgeUrl: bridgeUrl.optional().describe('A bridge of this context. It is stored, and not called.'),
      }),
    ),
    output: context,
    async handler({ store, environment, clock }, { body }) {
      const nowMs = clock.now()
      const row: ContextRow = {
        id: createId(nowMs),
        environmentId: environment.id,
        type: body.type,
        contextId: body.id,
        data: JSON.stringify(body.data ?? {}),
        bridgeUrl: body.bridgeUrl ?? null,
        createdAt: nowMs,
        updatedAt: nowMs,
      }
      const taken = refuseTaken(`The context "${body.type}:${body.id}" already exists.`)
      await store.db.insertInto('contexts').values(row).execute().catch(taken)
      return show(row)
    },
  }),
  operation({
    ...common,
    name: 'contexts.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{type}/{id}`,
    summary: 'Returns a context',
    output: context,
    handler: async (context, { params }) => show(await find(context.store.db, context, params)),
  }),
  operation({
    ...common,
    name: 'contexts.update',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{type}/{id}`,
    summary: "Replaces a context's data, and its bridge URL if sent",
    body: z.strictObject({
      data: jsonObject().optional().describe('Custom data.'),
      bridgeUrl: bridgeUrl.nullable().optional().describe('A bridge of this context. It is stored, and not called.'),
    }),
    output: context,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const existingRow = await find(tx, context, params)
        const row: ContextRow = {
          ...existingRow,
          data: body.data === undefined ? existingRow.data : JSON.stringify(body.data),
          bridgeUrl: body.bridgeUrl === undefined ? existingRow.bridgeUrl : body.bridgeUrl,
          updatedAt: context.clock.now(),
        }
        await tx.updateTable('contexts').set(row).where('id', '=', row.id).execute()
        return show(row)
      }),
  }),
  operation({
    ...common,
    name: 'contexts.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{type}/{id}`,
    summary: 'Deletes a context',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await find(tx, context, params)
        await tx.deleteFrom('contexts').where('id', '=', id).execute()
      }),
  }),
])

async function find(
  db: Session,
  { environment }: CallContext,
  { type = '', id = '' }: Readonly<Record<string, string>>,
): Promise<ContextRow> {
  const row = await db
    .selectFrom('contexts')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('type', '=', type)
    .where('contextId', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Context', `${type}:${id}`)
  return row
}

function show({ type, contextId, data, bridgeUrl: url, createdAt, updatedAt }: ContextRow): JsonObject {
  return {
    type,
    id: contextId,
    data: JSON.parse(data),
    ...(url === null ? {} : { bridgeUrl: url }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
