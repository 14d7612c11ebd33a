import type { RunChange } from './advance-run.ts'

/**
 * Marks failed steps whose failure the workflow function received, so that they do not fail the run.
 *
 * @param change - The change of the run.
 * @param jobs - The jobs of the run.
 * @param stepIds - The steps that the bridge named. Steps that have not failed are ignored.
 * @returns The row ids of the marked jobs.
 */
export async function markHandled(
  { tx, run, history, nowMs }: RunChange,
  jobs: readonly { readonly id: string; readonly stepId: string; readonly status: string }[],
  stepIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Set(stepIds)
  const ids = jobs.filter(({ stepId, status }) => status === 'failed' && names.has(stepId)).map(({ id }) => id)
  for (const jobId of ids) history.note({ runId: run.id, jobId }, 'failureHandled')
  if (ids.length > 0)
    await tx.updateTable('jobs').set({ stage: 'handled', updatedAt: nowMs }).where('id', 'in', ids).execute()
  return new Set(ids)
}
