import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { Session } from '../../store/store.ts'

/** A workflow or layout that has translations. */
export interface TranslatedResource {
  /** Its identifier. */
  readonly resourceId: string
  /** Its name. */
  readonly resourceName: string
}

/**
 * Finds the workflow or layout that texts belong to.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param named - Its kind, and its row id or identifier.
 * @throws {ApiError} There is none.
 */
export async function findResource(
  db: Session,
  { environment }: CallContext,
  { resourceType, resourceId }: { readonly resourceType: string; readonly resourceId: string },
): Promise<TranslatedResource> {
  const row = await db
    .selectFrom(resourceType === 'workflow' ? 'workflows' : 'layouts')
    .select(['identifier', 'name'])
    .where('environmentId', '=', environment.id)
    .where((is) => is.or([is('identifier', '=', resourceId), is('id', '=', resourceId)]))
    .executeTakeFirst()
  if (!row) throw notFound(resourceType === 'workflow' ? 'Workflow' : 'Layout', resourceId)
  return { resourceId: row.identifier, resourceName: row.name }
}

/**
 * Returns what may have translations, as `workflow/<identifier>` and `layout/<identifier>`.
 *
 * @param db - Where from.
 * @param context - The call.
 */
export async function listResources(db: Session, { environment }: CallContext): Promise<ReadonlySet<string>> {
  const of = async (table: 'workflows' | 'layouts'): Promise<readonly string[]> => {
    const rows = await db.selectFrom(table).select('identifier').where('environmentId', '=', environment.id).execute()
    return rows.map(({ identifier }) => `${table.slice(0, -1)}/${identifier}`)
  }
  return new Set([...(await of('workflows')), ...(await of('layouts'))])
}
