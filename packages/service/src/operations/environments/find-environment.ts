import { ApiError, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { EnvironmentRow } from '../../store/schema/account.ts'
import type { Session } from '../../store/store.ts'

/**
 * Returns an environment by its row id.
 *
 * @throws {ApiError} 404
 */
export async function findEnvironment(db: Session, id: string): Promise<EnvironmentRow> {
  const row = await db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Environment', id)
  return row
}

/**
 * Returns an environment that the caller wants to change. A key may only change its own environment.
 *
 * @param id - Its row id.
 * @throws {ApiError} 404, or 403 if the key belongs to another environment.
 * @source service-api.md#authentication
 */
export async function findOwnEnvironment(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  id: string,
): Promise<EnvironmentRow> {
  const row = await findEnvironment(db, id)
  if (id === environment.id) return row
  throw new ApiError(403, `The secret key belongs to ${environment.name}, not to ${row.name}.`)
}
