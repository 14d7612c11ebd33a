import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { translatedResource } from '../../resources/translation.ts'
import type { TranslationRow } from '../../store/schema/delivery.ts'
import { selectTexts } from './translation-row.ts'

/** The operation that lists the resources with translations. */
export const translationListOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    category: 'global',
    wrapped: true,
    name: 'studio.translations',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/translations',
    summary: 'Lists the workflows and layouts that have translations, with their languages',
    output: z.array(translatedResource),
    async handler(context) {
      const { db } = context.store
      const rows = await selectTexts(db, context)
        .orderBy('resourceType')
        .orderBy('resourceId')
        .orderBy('locale')
        .execute()
      const namesOf = async (table: 'workflows' | 'layouts') => {
        const named = db.selectFrom(table).select(['identifier', 'name'])
        const resources = await named.where('environmentId', '=', context.environment.id).execute()
        return new Map(resources.map(({ identifier, name }) => [identifier, name]))
      }
      const names = { workflow: await namesOf('workflows'), layout: await namesOf('layouts') }
      const groups = new Map<string, TranslationRow[]>()
      for (const row of rows) {
        const key = JSON.stringify([row.resourceType, row.resourceId])
        groups.set(key, [...(groups.get(key) ?? []), row])
      }
      return [...groups.values()].map((texts) => showGroup(texts, names))
    },
  }),
])

type Names = Readonly<Record<string, ReadonlyMap<string, string>>>

function showGroup(texts: readonly TranslationRow[], names: Names): JsonObject {
  const { resourceType = '', resourceId = '' } = texts[0] ?? {}
  return {
    resourceType,
    resourceId,
    resourceName: names[resourceType]?.get(resourceId) ?? resourceId,
    locales: texts.map(({ locale }) => locale),
    updatedAt: new Date(Math.max(...texts.map(({ updatedAt }) => updatedAt))).toISOString(),
  }
}
