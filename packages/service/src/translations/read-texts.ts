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

/**
 * Reads the translations of a resource in all locales.
 *
 * @param resource - The owner of the translations.
 */
export async function readTexts(
  db: Session,
  { environmentId, resourceType, resourceId }: TextResource,
): Promise<readonly LocaleTexts[]> {
  const rows = await db
    .selectFrom('translations')
    .select(['locale', 'content'])
    .where('environmentId', '=', environmentId)
    .where('resourceType', '=', resourceType)
    .where('resourceId', '=', resourceId)
    .execute()
  return rows.map(({ locale, content }) => ({ locale, content: toObject(JSON.parse(content)) }))
}
