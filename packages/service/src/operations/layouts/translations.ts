import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText, jsonMap, jsonObject } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { translation, translationGroup, translationImport, translationMaster } from '../../resources/translation.ts'
import type { Session } from '../../store/store.ts'
import { standardLocale } from '../../translations/locale.ts'
import { locale } from './text-drafts.ts'
import { findResource } from './translated-resource.ts'
import {
  deleteTexts,
  importTexts,
  refuseWrongTexts,
  selectOf,
  selectTexts,
  showTexts,
  storeTexts,
} from './translation-row.ts'

const resourceType = z.enum(['workflow', 'layout'], 'must be workflow or layout')
const resource = z.object({ resourceType, resourceId: filledText() })
const common = { category: 'global', wrapped: false, output: translation } as const
const path = '/v2/translations'

/** Operations on translations: the texts of `{{ t.key }}` by workflow or layout and locale. */
export const translationOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'translations.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Saves the texts of a workflow or layout in one language',
    body: z.strictObject({ resourceId: filledText(), resourceType, locale, content: jsonObject() }),
    async handler(context, { body }) {
      await refuseWrongTexts(context, body.content)
      return context.store.transaction(async (tx) => {
        const existingResource = await findResource(tx, context, body)
        return showTexts(await storeTexts(tx, context, { ...body, resourceId: existingResource.resourceId }))
      })
    },
  }),
  operation({
    ...common,
    // The legacy CLI reads these results from `data`.
    wrapped: true,
    name: 'translations.getMaster',
    access: 'view',
    method: 'GET',
    path: `${path}/master-json`,
    summary: 'Returns all texts of one language, by workflow and layout',
    query: z.strictObject({ locale: locale.optional() }),
    output: translationMaster,
    async handler(context, { query }) {
      const rows = await selectTexts(context.store.db, context)
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
    // The legacy CLI reads these results from `data`.
    wrapped: true,
    name: 'translations.importMaster',
    access: 'edit',
    method: 'POST',
    path: `${path}/master-json`,
    summary: 'Saves the texts of one language for many workflows and layouts',
    body: z.strictObject({
      locale,
      masterJson: z.strictObject({
        workflows: jsonMap(filledText(), jsonObject()).optional(),
        layouts: jsonMap(filledText(), jsonObject()).optional(),
      }),
    }),
    output: translationImport,
    handler: (context, { body }) => importTexts(context, body),
  }),
  operation({
    ...common,
    name: 'translations.getGroup',
    access: 'view',
    method: 'GET',
    path: `${path}/group/{resourceType}/{resourceId}`,
    summary: 'Returns the languages of a workflow or layout',
    params: resource,
    output: translationGroup,
    async handler(context, { params }) {
      const { db } = context.store
      const { resourceId, resourceName } = await findResource(db, context, params)
      const rows = await selectOf(db, context, { ...params, resourceId })
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
    name: 'translations.deleteGroup',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{resourceType}/{resourceId}`,
    summary: 'Deletes the texts of a workflow or layout in all languages',
    status: 204,
    params: resource,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) =>
        deleteTexts(tx, context, { ...params, ...(await findStored(tx, context, params)) }),
      ),
  }),
  operation({
    ...common,
    name: 'translations.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{resourceType}/{resourceId}/{locale}`,
    summary: 'Returns the texts of a workflow or layout in one language',
    params: resource.extend({ locale }),
    async handler(context, { params }) {
      const { resourceId } = await findStored(context.store.db, context, params)
      const row = await selectOf(context.store.db, context, { ...params, resourceId })
        .where('locale', '=', params.locale)
        .executeTakeFirst()
      if (!row) throw notFound('Translation', `${params.resourceType}/${params.resourceId}/${params.locale}`)
      return showTexts(row)
    },
  }),
  operation({
    ...common,
    name: 'translations.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{resourceType}/{resourceId}/{locale}`,
    summary: 'Deletes the texts of a workflow or layout in one language',
    status: 204,
    params: resource.extend({ locale }),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) =>
        deleteTexts(tx, context, { ...params, ...(await findStored(tx, context, params)) }),
      ),
  }),
])

/** Translations stay when their workflow or layout is deleted; their id is then the only name. */
async function findStored(
  db: Session,
  context: CallContext,
  named: { readonly resourceType: string; readonly resourceId: string },
): Promise<{ readonly resourceId: string }> {
  try {
    const { resourceId } = await findResource(db, context, named)
    return { resourceId }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return named
    throw error
  }
}
