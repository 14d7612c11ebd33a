import type { JsonObject } from '@trestle/protocol'
import type { Session } from '../store/store.ts'
import { toLocaleChain } from './locale.ts'

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
 * Reads the translations of a resource for one recipient.
 *
 * @param locale - The recipient's locale.
 * @param drafts - Texts that replace the saved ones of their locale.
 * @returns The texts as JSON, those of the best locale first.
 */
export async function readTexts(
  db: Session,
  { environmentId, resourceType, resourceId }: TextResource,
  { locale, drafts = {} }: { readonly locale: unknown; readonly drafts?: TextDrafts | undefined },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('translations')
    .select(['locale', 'content'])
    .where('environmentId', '=', environmentId)
    .where('resourceType', '=', resourceType)
    .where('resourceId', '=', resourceId)
    .execute()
  const texts = new Map(rows.map((row) => [row.locale, row.content]))
  for (const [name, content] of Object.entries(drafts)) texts.set(name, JSON.stringify(content))
  return toLocaleChain(locale, [...texts.keys()]).map((name) => texts.get(name) ?? '{}')
}
