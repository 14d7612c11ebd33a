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
 * Saves texts, replacing those of the same locale.
 *
 * @throws {ApiError} 422 if they cannot be rendered.
 */
export async function storeTexts(
  tx: Session,
  { environment, clock }: CallContext,
  texts: Texts,
): Promise<TranslationRow> {
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

/**
 * Saves the texts of many workflows and layouts in one locale.
 *
 * @param body - The locale and the texts.
 * @returns The saved and the unknown resources.
 */
export async function importTexts(
  tx: Session,
  context: CallContext,
  body: {
    readonly locale: string
    readonly masterJson: { workflows?: object | undefined; layouts?: object | undefined }
  },
): Promise<JsonObject> {
  const knownResources = await listResources(tx, context)
  const successful: string[] = []
  const failed: string[] = []
  for (const [group, type] of [
    ['workflows', 'workflow'],
    ['layouts', 'layout'],
  ] as const)
    for (const [resourceId, content] of Object.entries(body.masterJson[group] ?? {})) {
      const isKnown = knownResources.has(`${type}/${resourceId}`)
      if (isKnown) await storeTexts(tx, context, { resourceType: type, resourceId, locale: body.locale, content })
      const list = isKnown ? successful : failed
      list.push(resourceId)
    }
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
