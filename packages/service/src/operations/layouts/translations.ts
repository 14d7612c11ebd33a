import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { invalid, notFound } from '../../api/api-error.ts'
import { filledText, jsonObject, text } from '../../api/input.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { TranslationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { checkTexts } from '../../translations/check-texts.ts'
import { parseLocale, standardLocale } from '../../translations/locale.ts'
import { type AnyOperation, operation } from '../operation.ts'
import { findResource, listResources } from './translated-resource.ts'

const locale = text(20)
  .refine((value) => parseLocale(value) !== undefined, 'must be a language with an optional region, such as en_US')
  .transform((value) => parseLocale(value) ?? value)
const resourceType = z.enum(['workflow', 'layout'], 'must be workflow or layout')
const resource = z.object({ resourceType, resourceId: filledText() })
const output = z.object({
  resourceId: z.string(),
  resourceType: z.string(),
  locale: z.string(),
  content: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
const done = z.object({ success: z.boolean(), message: z.string() })
const common = { category: 'global', wrapped: false, output } as const
const path = '/v2/translations'

/** The operations on translations: what `{{ t.key }}` stands for, by workflow or layout and language. */
export const translationOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'translations.create',
    method: 'POST',
    path,
    summary: 'Stores the texts of a workflow or layout in one language',
    body: z.strictObject({ resourceId: filledText(), resourceType, locale, content: jsonObject() }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const found = await findResource(tx, context, body)
        return show(await store(tx, context, { ...body, resourceId: found.resourceId }))
      }),
  }),
  operation({
    ...common,
    name: 'translations.masterRetrieve',
    method: 'GET',
    path: `${path}/master-json`,
    summary: 'Returns all texts of one language, by workflow and layout',
    query: z.object({ locale: locale.optional() }),
    output: z.object({ workflows: z.record(z.string(), z.unknown()), layouts: z.record(z.string(), z.unknown()) }),
    async handler(context, { query }) {
      const rows = await select(context.store.db, context)
        .where('locale', '=', query.locale ?? standardLocale)
        .execute()
      const of = (type: string) =>
        Object.fromEntries(
          rows.filter((row) => row.resourceType === type).map((row) => [row.resourceId, JSON.parse(row.content)]),
        )
      return { workflows: of('workflow'), layouts: of('layout') }
    },
  }),
  operation({
    ...common,
    name: 'translations.masterImport',
    method: 'POST',
    path: `${path}/master-json`,
    summary: 'Stores the texts of one language for many workflows and layouts',
    body: z.strictObject({
      locale,
      masterJson: z.strictObject({
        workflows: z.record(filledText(), jsonObject()).optional(),
        layouts: z.record(filledText(), jsonObject()).optional(),
      }),
    }),
    output: done,
    handler: (context, { body }) => context.store.transaction((tx) => importAll(tx, context, body)),
  }),
  operation({
    ...common,
    name: 'translations.groupRetrieve',
    method: 'GET',
    path: `${path}/group/{resourceType}/{resourceId}`,
    summary: 'Returns the languages of a workflow or layout',
    params: resource,
    output: z.looseObject({ resourceId: z.string(), locales: z.array(z.string()) }),
    async handler(context, { params }) {
      const { db } = context.store
      const { resourceId, resourceName } = await findResource(db, context, params)
      const rows = await ofResource(db, context, { ...params, resourceId })
        .orderBy('locale')
        .execute()
      if (rows.length === 0) throw notFound('Translation', `${params.resourceType}/${resourceId}`)
      return {
        resourceId,
        resourceType: params.resourceType,
        resourceName,
        locales: rows.map((row) => row.locale),
        createdAt: new Date(Math.min(...rows.map(({ createdAt }) => createdAt))).toISOString(),
        updatedAt: new Date(Math.max(...rows.map(({ updatedAt }) => updatedAt))).toISOString(),
      }
    },
  }),
  operation({
    ...common,
    name: 'translations.groupDelete',
    method: 'DELETE',
    path: `${path}/{resourceType}/{resourceId}`,
    summary: 'Deletes the texts of a workflow or layout in all languages',
    status: 204,
    params: resource,
    handler: (context, { params }) => context.store.transaction((tx) => remove(tx, context, params)),
  }),
  operation({
    ...common,
    name: 'translations.retrieve',
    method: 'GET',
    path: `${path}/{resourceType}/{resourceId}/{locale}`,
    summary: 'Returns the texts of a workflow or layout in one language',
    params: resource.extend({ locale }),
    async handler(context, { params }) {
      const row = await ofResource(context.store.db, context, params)
        .where('locale', '=', params.locale)
        .executeTakeFirst()
      if (!row) throw notFound('Translation', `${params.resourceType}/${params.resourceId}/${params.locale}`)
      return show(row)
    },
  }),
  operation({
    ...common,
    name: 'translations.delete',
    method: 'DELETE',
    path: `${path}/{resourceType}/{resourceId}/{locale}`,
    summary: 'Deletes the texts of a workflow or layout in one language',
    status: 204,
    params: resource.extend({ locale }),
    handler: (context, { params }) => context.store.transaction((tx) => remove(tx, context, params)),
  }),
])

interface Texts {
  readonly resourceType: string
  readonly resourceId: string
  readonly locale: string
  readonly content: JsonObject
}

const select = (db: Session, { environment }: CallContext) =>
  db.selectFrom('translations').selectAll().where('environmentId', '=', environment.id)

const ofResource = (db: Session, context: CallContext, named: Pick<Texts, 'resourceType' | 'resourceId'>) =>
  select(db, context).where('resourceType', '=', named.resourceType).where('resourceId', '=', named.resourceId)

async function store(tx: Session, { environment, clock }: CallContext, texts: Texts): Promise<TranslationRow> {
  const fault = checkTexts(texts.content)
  if (fault) throw invalid(['content', ...fault.path].join('.'), fault.message)
  const nowMs = clock.now()
  const change = { content: JSON.stringify(texts.content), updatedAt: nowMs }
  const { resourceType: type, resourceId, locale: name } = texts
  const row = { id: createId(nowMs), environmentId: environment.id, resourceType: type, resourceId, locale: name }
  return tx
    .insertInto('translations')
    .values({ ...row, ...change, createdAt: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['environmentId', 'resourceType', 'resourceId', 'locale']).doUpdateSet(change),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function remove(
  tx: Session,
  { environment }: CallContext,
  named: Pick<Texts, 'resourceType' | 'resourceId'> & Partial<Pick<Texts, 'locale'>>,
): Promise<void> {
  let query = tx
    .deleteFrom('translations')
    .where('environmentId', '=', environment.id)
    .where('resourceType', '=', named.resourceType)
    .where('resourceId', '=', named.resourceId)
  if (named.locale !== undefined) query = query.where('locale', '=', named.locale)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n)
    throw notFound('Translation', [named.resourceType, named.resourceId, named.locale].filter(Boolean).join('/'))
}

async function importAll(
  tx: Session,
  context: CallContext,
  body: {
    readonly locale: string
    readonly masterJson: { workflows?: object | undefined; layouts?: object | undefined }
  },
): Promise<JsonObject> {
  const known = await listResources(tx, context)
  const successful: string[] = []
  const failed: string[] = []
  for (const [group, type] of [
    ['workflows', 'workflow'],
    ['layouts', 'layout'],
  ] as const)
    for (const [resourceId, content] of Object.entries(body.masterJson[group] ?? {})) {
      const isKnown = known.has(`${type}/${resourceId}`)
      if (isKnown) await store(tx, context, { resourceType: type, resourceId, locale: body.locale, content })
      const list = isKnown ? successful : failed
      list.push(resourceId)
    }
  const message = `${successful.length} stored, ${failed.length} unknown`
  return { success: failed.length === 0, message, successful, failed }
}

function show(row: TranslationRow): JsonObject {
  return {
    resourceId: row.resourceId,
    resourceType: row.resourceType,
    locale: row.locale,
    content: JSON.parse(row.content),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
