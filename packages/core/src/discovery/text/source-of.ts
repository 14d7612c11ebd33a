import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'

/**
 * Returns the text of a workflow function; `''` if it has none. A function that wraps another can show the other's text by
 * its own `toString`: then it must call the other with the same steps.
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
