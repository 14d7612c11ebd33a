import type { JsonObject } from '@trestle/protocol'
import { toObject } from '../json/json.ts'
import type { Session } from '../store/store.ts'
import type { LocaleTexts } from './translate-text.ts'

/** The owner of translations. */
export interface TextResource {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly resourceType: string
  /** The identifier of the workflow or layout. */
  readonly resourceId: string
}

/** Unsaved texts by locale, which replace the saved ones in a preview. */
export type TextDrafts = Readonly<Record<string, JsonObject>>

/**
 * Reads the translations of a resource in all locales.
 *
 * @param resource - The owner of the translations.
 * @param drafts - Texts that replace the saved ones of their locale.
 */
export async function readTexts(
  db: Session,
  { environmentId, resourceType, resourceId }: TextResource,
  drafts: TextDrafts = {},
): Promise<readonly LocaleTexts[]> {
  const rows = await db
    .selectFrom('translations')
    .select(['locale', 'content'])
    .where('environmentId', '=', environmentId)
    .where('resourceType', '=', resourceType)
    .where('resourceId', '=', resourceId)
    .execute()
  const saved = rows.map(({ locale, content }) => [locale, toObject(JSON.parse(content))] as const)
  const texts = new Map<string, JsonObject>([...saved, ...Object.entries(drafts)])
  return [...texts].map(([locale, content]) => ({ locale, content }))
}
