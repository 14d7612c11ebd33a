import type { Session } from '../store/store.ts'

/** Whose texts, and in which environment. */
export interface TextsOwner {
  readonly environmentId: string
  /** `workflow` or `layout`. */
  readonly resourceType: string
  /** Its identifier. */
  readonly resourceId: string
  /** The language. @default all */
  readonly locale?: string | undefined
}

/**
 * Removes texts.
 *
 * @param tx - The transaction.
 * @param owner - Whose.
 * @returns Whether there were some.
 */
export async function removeTexts(tx: Session, owner: TextsOwner): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('translations')
    .where('environmentId', '=', owner.environmentId)
    .where('resourceType', '=', owner.resourceType)
    .where('resourceId', '=', owner.resourceId)
    .$if(owner.locale !== undefined, (query) => query.where('locale', '=', owner.locale ?? ''))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
