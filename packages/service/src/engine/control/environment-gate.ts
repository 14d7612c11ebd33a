import { environmentOf } from '../../queue/lane-name.ts'
import { idPattern } from '../../store/create-id.ts'
import type { Store } from '../../store/store.ts'

/** How long a process may not notice that an environment was deleted, in milliseconds. */
const knownMs = 500

/**
 * Returns a function that checks whether a lane belongs to a deleted environment, whose work must not run. Most checks
 * cost no query.
 */
export function createEnvironmentGate({ db }: Pick<Store, 'db'>): (lane: string) => Promise<boolean> {
  const knownUntil = new Map<string, number>()
  return async (lane) => {
    const id = environmentOf(lane)
    if (!idPattern.test(id) || (knownUntil.get(id) ?? 0) > performance.now()) return false
    const row = await db.selectFrom('environments').select('id').where('id', '=', id).executeTakeFirst()
    if (row) knownUntil.set(id, performance.now() + knownMs)
    else knownUntil.delete(id)
    return row === undefined
  }
}
