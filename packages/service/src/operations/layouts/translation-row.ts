import type { JsonObject } from '@trestle/protocol'
import type { SelectQueryBuilder } from 'kysely'
import { invalid, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { TranslationRow } from '../../store/schema/delivery.ts'
import type { Tables } from '../../store/schema/tables.ts'
import type { Session } from '../../store/store.ts'
import { checkTexts } from '../../translations/check-texts.ts'
import { removeTexts, type TextsOwner } from '../../translations/remove-texts.ts'
import { listResources } from './translated-resource.ts'

/** The texts of a workflow or layout in one locale. */
export interface Texts {
  readonly resourceType: string
  readonly resourceId: string
  readonly locale: string
  /** The texts by key. */
  readonly content: JsonObject
}

/** Selects the translations of an environment. */
export const selectTexts = (
  db: Session,
  { environment }: CallContext,
): SelectQueryBuilder<Tables, 'translations', TranslationRow> =>
  db.selectFrom('translations').selectAll().where('environmentId', '=', environment.id)

/** Selects the translations of a workflow or layout. */
export const selectOf = (
  db: Session,
  context: CallContext,
  named: Pick<Texts, 'resourceType' | 'resourceId'>,
): SelectQueryBuilder<Tables, 'translations', TranslationRow> =>
  selectTexts(db, context).where('resourceType', '=', named.resourceType).where('resourceId', '=', named.resourceId)

/**
 * Checks texts. Do not call this in a transaction, because parsing takes a while.
 *
 * @throws {ApiError} 422 if they cannot be rendered.
 */
export async function refuseWrongTexts({ environment }: CallContext, content: JsonObject): Promise<void> {
  const fault = await checkTexts(content, environment.id)
  if (fault) throw invalid(['content', ...fault.path].join('.'), fault.message)
}

/** Saves checked texts, replacing those of the same locale. */
export async function storeTexts(
  tx: Session,
  { environment, clock }: CallContext,
  texts: Texts,
): Promise<TranslationRow> {
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

/**
 * Deletes texts.
 *
 * @param named - The resource, and the locale; without one, texts of all locales.
 * @throws {ApiError} 404 if there are none.
 */
export async function deleteTexts(
  tx: Session,
  { environment }: CallContext,
  named: Omit<TextsOwner, 'environmentId'>,
): Promise<void> {
  if (await removeTexts(tx, { ...named, environmentId: environment.id })) return
  throw notFound('Translation', [named.resourceType, named.resourceId, named.locale].filter(Boolean).join('/'))
}

const groups = [
  ['workflows', 'workflow'],
  ['layouts', 'layout'],
] as const

/**
 * Saves the texts of many workflows and layouts in one locale.
 *
 * @param body - The locale and the texts.
 * @returns The saved and the unknown resources.
 * @throws {ApiError} 422 if the texts of a known resource cannot be rendered.
 */
export async function importTexts(
  context: CallContext,
  body: {
    readonly locale: string
    readonly masterJson: { workflows?: object | undefined; layouts?: object | undefined }
  },
): Promise<JsonObject> {
  const knownResources = await listResources(context.store.db, context)
  const given = groups.flatMap(([group, resourceType]) =>
    Object.entries(body.masterJson[group] ?? {}).map(([resourceId, content]) => ({
      ...{ resourceType, resourceId, locale: body.locale, content: content as JsonObject },
      isKnown: knownResources.has(`${resourceType}/${resourceId}`),
    })),
  )
  const known = given.filter(({ isKnown }) => isKnown)
  for (const { content } of known) await refuseWrongTexts(context, content)
  await context.store.transaction(async (tx) => {
    for (const { isKnown: _, ...texts } of known) await storeTexts(tx, context, texts)
  })
  const successful = known.map(({ resourceId }) => resourceId)
  const failed = given.filter(({ isKnown }) => !isKnown).map(({ resourceId }) => resourceId)
  const message = `${successful.length} stored, ${failed.length} unknown`
  return { success: failed.length === 0, message, successful, failed }
}

/** Returns texts in the API format. */
export function showTexts(row: TranslationRow): JsonObject {
  return {
    resourceId: row.resourceId,
    resourceType: row.resourceType,
    locale: row.locale,
    content: JSON.parse(row.content),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
