import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'

/**
 * Returns the source text of a workflow function; `''` where it cannot be had. A function that wraps another can show
 * the other's text by a `toString` of its own.
 *
 * @param workflow - The workflow.
 */
export function sourceOf({ run }: RegisteredWorkflow): string {
  try {
    return String(run)
  } catch {
    return ''
  }
}
