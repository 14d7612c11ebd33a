import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { filledText, jsonObject, key, queryNumber, queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { layout, layoutList, usage } from '../../resources/delivery.ts'
import { named } from '../../resources/named.ts'
import { preview } from '../../resources/workflows/workflow-input.ts'
import { createId } from '../../store/create-id.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import { layoutOperationsOf } from './layout-operations.ts'
import { previewLayout } from './layout-preview.ts'
import { checkContent, findLayoutRow, maxLayoutLength, showLayoutV2, storeLayout } from './layout-row.ts'
import { hasDefaultLayout, toNewLayout } from './new-layout.ts'
import { checkDrafts, textDrafts } from './text-drafts.ts'
import { selectOf, storeTexts } from './translation-row.ts'

const flag = z.boolean('must be true or false').optional()
const email = z.strictObject({
  body: text(maxLayoutLength),
  editorType: z.literal('html', 'must be html: editor blocks cannot be rendered here').optional(),
})
const common = { category: 'global', wrapped: false } as const
const path = '/v2/layouts'
const resourceType = 'layout'

/** Operations (v2) on layouts. */
export const layoutV2Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'layouts.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the layouts',
    query: z.strictObject({
      limit: queryNumber({ fallback: 10, min: 1, max: 100 }),
      offset: queryNumber({ fallback: 0, max: 1_000_000 }),
      orderBy: z.enum(['createdAt', 'updatedAt', 'name'], 'must be createdAt, updatedAt or name').optional(),
      orderDirection: z.enum(['ASC', 'DESC'], 'must be ASC or DESC').optional(),
      query: queryText(),
    }),
    output: layoutList,
    async handler({ store, environment }, { query }) {
      const layouts = store.db
        .selectFrom('layouts')
        .where('environmentId', '=', environment.id)
        .where(holdsAnyCase(sql`("name" || ' ' || "identifier")`, query.query ?? ''))
      const direction = query.orderDirection === 'ASC' ? 'asc' : 'desc'
      const rows = await layouts
        .selectAll()
        .orderBy(query.orderBy ?? 'createdAt', direction)
        .orderBy('id', direction)
        .limit(query.limit)
        .offset(query.offset)
        .execute()
      const { count } = await layouts.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      return { layouts: rows.map(showLayoutV2), totalCount: Number(count) }
    },
  }),
  operation({
    ...common,
    name: 'layouts.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a layout; the first one becomes the default',
    status: 201,
    body: named(
      'NewLayout',
      'A new layout.',
      z.strictObject({
        layoutId: key().describe('The identifier.'),
        name: filledText().describe('The display name.'),
        isTranslationEnabled: flag.describe('A mark without effect: every `{{ t.key }}` is translated.'),
        __source: text(100).optional().describe('The origin, for statistics.'),
      }),
    ),
    output: layout,
    handler: ({ store, environment, clock }, { body }) =>
      store.transaction(async (tx) => {
        const row = toNewLayout(environment.id, clock.now(), {
          identifier: body.layoutId,
          name: body.name,
          isTranslationEnabled: body.isTranslationEnabled ? 1 : 0,
          isDefault: (await hasDefaultLayout(tx, environment.id)) ? 0 : 1,
        })
        await storeLayout(tx, row)
        return showLayoutV2(row)
      }),
  }),
  ...layoutOperationsOf({
    path,
    wrapped: false,
    output: layout,
    names: { get: 'layouts.get', remove: 'layouts.delete' },
    show: showLayoutV2,
  }),
  operation({
    ...common,
    name: 'layouts.update',
    access: 'edit',
    method: 'PUT',
    path: `${path}/{layoutId}`,
    summary: "Changes a layout's name and content",
    body: named(
      'LayoutUpdate',
      'The new version of a layout.',
      z.strictObject({
        name: filledText().describe('The display name.'),
        isTranslationEnabled: flag.describe('A mark without effect: every `{{ t.key }}` is translated.'),
        controlValues: z.strictObject({ email: email.optional() }).nullable().optional().describe('The content.'),
      }),
    ),
    output: layout,
    async handler(context, { params, body }) {
      await findLayoutRow(context.store.db, context, params['layoutId'])
      const content = body.controlValues?.email?.body
      if (content !== undefined)
        await checkContent(context, content, { field: 'controlValues.email.body', status: 422 })
      return context.store.transaction(async (tx) => {
        const existingRow = await findLayoutRow(tx, context, params['layoutId'])
        const row: LayoutRow = {
          ...existingRow,
          name: body.name,
          content: content ?? existingRow.content,
          controlValues: JSON.stringify({ email: { editorType: 'html' } }),
          isTranslationEnabled: (body.isTranslationEnabled ?? existingRow.isTranslationEnabled === 1) ? 1 : 0,
          updatedAt: context.clock.now(),
        }
        await storeLayout(tx, row)
        return showLayoutV2(row)
      })
    },
  }),
  operation({
    ...common,
    name: 'layouts.duplicate',
    access: 'edit',
    method: 'POST',
    path: `${path}/{layoutId}/duplicate`,
    summary: 'Creates a copy of a layout, with its translations',
    status: 201,
    body: z.strictObject({ name: filledText(), layoutId: key().optional(), isTranslationEnabled: flag }),
    output: layout,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        const sourceRow = await findLayoutRow(tx, context, params['layoutId'])
        const nowMs = context.clock.now()
        const identifier = body.layoutId ?? `${sourceRow.identifier}-${randomBytes(4).toString('hex')}`
        const row: LayoutRow = {
          ...sourceRow,
          ...{ id: createId(nowMs), identifier, name: body.name, isDefault: 0, createdAt: nowMs, updatedAt: nowMs },
          isTranslationEnabled: (body.isTranslationEnabled ?? sourceRow.isTranslationEnabled === 1) ? 1 : 0,
        }
        await storeLayout(tx, row)
        const texts = await selectOf(tx, context, { resourceType, resourceId: sourceRow.identifier }).execute()
        for (const { locale, content } of texts)
          await storeTexts(tx, context, { resourceType, resourceId: identifier, locale, content: JSON.parse(content) })
        return showLayoutV2(row)
      }),
  }),
  operation({
    ...common,
    name: 'layouts.preview',
    access: 'view',
    method: 'POST',
    path: `${path}/{layoutId}/preview`,
    summary: 'Renders a layout around a sample body',
    status: 201,
    body: named(
      'LayoutPreviewBody',
      'The data a layout is previewed with.',
      z.strictObject({
        controlValues: jsonObject().optional().describe('Content that replaces the stored one.'),
        previewPayload: jsonObject().optional().describe('The recipient.'),
        translations: textDrafts
          .optional()
          .describe('Unsaved translations, by locale. They replace the saved ones of their locale.'),
      }),
    ),
    output: preview,
    async handler(context, { params, body }) {
      await checkDrafts(context, body.translations)
      return previewLayout(context, await findLayoutRow(context.store.db, context, params['layoutId']), body)
    },
  }),
  operation({
    ...common,
    name: 'layouts.getUsage',
    access: 'view',
    method: 'GET',
    path: `${path}/{layoutId}/usage`,
    summary: 'Lists the workflows whose steps name a layout in their controls',
    output: usage,
    async handler(context, { params }) {
      const { db } = context.store
      const { id, identifier } = await findLayoutRow(db, context, params['layoutId'])
      const rows = await db
        .selectFrom('stepControls')
        .innerJoin('workflows', 'workflows.id', 'stepControls.workflowId')
        .select(['workflows.name', 'workflows.identifier', 'stepControls.controls'])
        .where('stepControls.environmentId', '=', context.environment.id)
        .orderBy('workflows.identifier')
        .execute()
      const users = rows.filter(({ controls }) => [id, identifier].includes(JSON.parse(controls)['layoutId']))
      const named = new Map(users.map((user) => [user.identifier, user.name]))
      return { workflows: [...named].map(([workflowId, name]) => ({ name, workflowId })) }
    },
  }),
])
