import type { Session } from '../store/store.ts'

/** A workflow that uses a variable. */
export interface VariableUser {
  /** The workflow's name. */
  readonly name: string
  /** The workflow's identifier. */
  readonly workflowId: string
}

/**
 * Finds the workflows of an environment whose controls, or default controls, use a variable as `env.KEY`. Does not find
 * uses in a handler's code.
 *
 * @param environmentId - Row id of the environment.
 * @param key - The variable: letters, digits and `_`.
 */
export async function findVariableUsage(
  db: Session,
  environmentId: string,
  key: string,
): Promise<readonly VariableUser[]> {
  const workflows = await db
    .selectFrom('workflows')
    .select(['id', 'identifier', 'name', 'steps'])
    .where('environmentId', '=', environmentId)
    .orderBy('identifier')
    .execute()
  const controls = await db
    .selectFrom('stepControls')
    .select(['workflowId', 'controls'])
    .where('environmentId', '=', environmentId)
    .execute()
  const named = new RegExp(`\\benv\\s*\\.\\s*${key}\\b`)
  return workflows
    .filter(({ id, steps }) => {
      const own = controls.filter(({ workflowId }) => workflowId === id)
      return [steps, ...own.map((row) => row.controls)].some((text) => named.test(text))
    })
    .map(({ name, identifier }) => ({ name, workflowId: identifier }))
}
