import type { Session } from '../store/store.ts'

/** The owner of the texts. */
export interface TextsOwner {
  readonly environmentId: string
  readonly resourceType: string
  readonly resourceId: string
  /** The locale to remove. @default all */
  readonly locale?: string | undefined
}

/**
 * Deletes translations.
 *
 * @returns Whether any translations were removed.
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
