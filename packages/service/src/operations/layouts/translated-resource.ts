import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { Session } from '../../store/store.ts'

/** A workflow or layout with translations. */
export interface TranslatedResource {
  readonly resourceId: string
  readonly resourceName: string
}

/**
 * Finds the workflow or layout of a translation.
 *
 * @param named - The type, and the row id or identifier.
 * @throws {ApiError} 404 if it does not exist.
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

/** Returns the resources that can have translations, as `workflow/<identifier>` and `layout/<identifier>`. */
export async function listResources(db: Session, { environment }: CallContext): Promise<ReadonlySet<string>> {
  const of = async (table: 'workflows' | 'layouts'): Promise<readonly string[]> => {
    const rows = await db.selectFrom(table).select('identifier').where('environmentId', '=', environment.id).execute()
    return rows.map(({ identifier }) => `${table.slice(0, -1)}/${identifier}`)
  }
  return new Set([...(await of('workflows')), ...(await of('layouts'))])
}
