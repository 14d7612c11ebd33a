import { SettingsError } from '../config/settings.ts'
import type { Session } from '../store/store.ts'

/**
 * Returns the environments that studio links open, by id.
 *
 * @param names - Their names; the first environment if undefined.
 * @throws {SettingsError} An environment does not exist.
 */
export async function findStudioEnvironments(
  db: Session,
  names: readonly string[] | undefined,
): Promise<readonly string[]> {
  const rows = await db.selectFrom('environments').select(['id', 'name']).orderBy('id').execute()
  if (names === undefined) return rows.slice(0, 1).map(({ id }) => id)
  return names.map((name) => {
    const row = rows.find((one) => one.name === name)
    if (row) return row.id
    throw new SettingsError(`studioEnvironments: the environment ${JSON.stringify(name)} does not exist`)
  })
}
