import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { filledText, key, queryNumber, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { layoutV1 } from '../../resources/delivery.ts'
import { named } from '../../resources/named.ts'
import { countedPageOf } from '../../resources/page.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import { layoutOperationsOf } from './layout-operations.ts'
import { checkContent, findLayoutRow, maxLayoutLength, showLayout, storeLayout } from './layout-row.ts'
import { toNewLayout } from './new-layout.ts'

const variable = z.strictObject({
  name: filledText(),
  type: text(100).optional(),
  required: z.boolean().optional(),
  defaultValue: z.union([z.string(), z.boolean(), z.number()]).optional(),
})
const fields = {
  name: filledText().describe('The display name.'),
  identifier: key().describe('The identifier.'),
  description: text(1000).nullable().optional().describe('The purpose.'),
  content: text(maxLayoutLength).describe(
    'The content, a Liquid template that must contain the placeholder `{{{body}}}`.',
  ),
  variables: z
    .array(variable)
    .max(100)
    .optional()
    .describe('The variables of the content: their name, type and default value, and whether they are required.'),
  isDefault: z.boolean('must be true or false').optional().describe('Whether emails without a layout use it.'),
}
const common = { category: 'global', wrapped: true } as const
const path = '/v1/layouts'

/** Operations (v1) on layouts. */
export const layoutOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'layouts.listV1',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the layouts',
    wrapped: false,
    query: z.strictObject({
      page: queryNumber({ fallback: 0, max: 1_000_000 }),
      pageSize: queryNumber({ fallback: 10, min: 1, max: 1000 }),
      sortBy: z.literal('createdAt', 'must be createdAt').optional(),
      orderBy: z.enum(['1', '-1', 'ASC', 'DESC'], 'must be ASC or DESC').optional(),
    }),
    output: countedPageOf(layoutV1),
    async handler(context, { query: { page, pageSize, orderBy } }) {
      const layouts = context.store.db.selectFrom('layouts').where('environmentId', '=', context.environment.id)
      const isAscending = orderBy === '1' || orderBy === 'ASC'
      const rows = await layouts
        .selectAll()
        .orderBy('id', isAscending ? 'asc' : 'desc')
        .limit(pageSize)
        .offset(page * pageSize)
        .execute()
      const { count } = await layouts.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      return { data: rows.map((row) => showLayout(row, context)), page, pageSize, totalCount: Number(count) }
    },
  }),
  operation({
    ...common,
    name: 'layouts.createV1',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a layout',
    status: 201,
    body: named('NewLayoutV1', 'A new layout (v1).', z.strictObject(fields)),
    output: z.object({ _id: z.string() }),
    async handler(context, { body }) {
      await checkContent(context, body.content, { field: 'content', status: 400 })
      const row = toNewLayout(context.environment.id, context.clock.now(), {
        identifier: body.identifier,
        name: body.name,
        description: body.description ?? null,
        content: body.content,
        variables: JSON.stringify(body.variables ?? []),
        controlValues: '{}',
        isDefault: body.isDefault ? 1 : 0,
      })
      await context.store.transaction((tx) => storeLayout(tx, row))
      return { _id: row.id }
    },
  }),
  ...layoutOperationsOf({
    path,
    wrapped: true,
    output: layoutV1,
    names: { get: 'layouts.getV1', remove: 'layouts.deleteV1' },
    show: showLayout,
  }),
  operation({
    ...common,
    name: 'layouts.updateV1',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{layoutId}`,
    summary: 'Changes a layout',
    body: z.strictObject(fields).partial(),
    output: layoutV1,
    async handler(context, { params, body }) {
      if (Object.keys(body).length === 0) throw new ApiError(400, 'Send at least one field to change.')
      await findLayoutRow(context.store.db, context, params['layoutId'])
      if (body.content !== undefined) await checkContent(context, body.content, { field: 'content', status: 400 })
      return context.store.transaction(async (tx) => {
        const existingRow = await findLayoutRow(tx, context, params['layoutId'])
        if (existingRow.isDefault === 1 && body.isDefault === false)
          throw new ApiError(409, 'The default layout stays the default until another layout becomes the default.')
        if (body.identifier !== undefined && body.identifier !== existingRow.identifier)
          throw invalid('identifier', 'cannot be changed: translations and overrides refer to the layout by it')
        const row: LayoutRow = {
          ...existingRow,
          name: body.name ?? existingRow.name,
          description: body.description === undefined ? existingRow.description : body.description,
          content: body.content ?? existingRow.content,
          variables: body.variables === undefined ? existingRow.variables : JSON.stringify(body.variables),
          isDefault: (body.isDefault ?? existingRow.isDefault === 1) ? 1 : 0,
          updatedAt: context.clock.now(),
        }
        await storeLayout(tx, row)
        return showLayout(row, context)
      })
    },
  }),
  operation({
    ...common,
    name: 'layouts.setDefaultV1',
    access: 'edit',
    method: 'POST',
    path: `${path}/{layoutId}/default`,
    summary: 'Sets the default layout, which emails without a layout use',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const existingRow = await findLayoutRow(tx, context, params['layoutId'])
        await storeLayout(tx, { ...existingRow, isDefault: 1, updatedAt: context.clock.now() })
      }),
  }),
])
