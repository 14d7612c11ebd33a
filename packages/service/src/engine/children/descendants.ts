import { toDescendantsFault } from '@trestle/run-rules'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'

/** Thrown if the runs below a first run would be too many; the message is the reason. */
export class TooManyDescendantsError extends Error {
  override name = 'TooManyDescendantsError'
}

/**
 * Returns the id of the first of the runs that triggered each other, which counts them. If it has been deleted, the run
 * itself counts the runs below it.
 *
 * @param db - The session.
 * @param run - One of the runs.
 */
export async function findRoot(db: Session, { id, rootRunId }: RunRow): Promise<string> {
  if (rootRunId === null) return id
  const root = await db.selectFrom('runs').select('id').where('id', '=', rootRunId).executeTakeFirst()
  return root?.id ?? id
}

/**
 * Counts the runs that a step triggers, even if the trigger then fails. The count locks the first run, so concurrent steps
 * cannot exceed the limit.
 *
 * @param tx - The transaction that stores the trigger.
 * @param rootRunId - The run that counts them.
 * @param count - The number of recipients.
 * @throws TooManyDescendantsError - The limit is exceeded, and the transaction must be rolled back.
 */
export async function reserveDescendants(tx: Session, rootRunId: string, count: number): Promise<void> {
  const { descendants } = await tx
    .updateTable('runs')
    .set(({ eb }) => ({ descendants: eb('descendants', '+', count) }))
    .where('id', '=', rootRunId)
    .returning('descendants')
    .executeTakeFirstOrThrow()
  const fault = toDescendantsFault(descendants)
  if (fault !== undefined) throw new TooManyDescendantsError(fault)
}
