import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'

/**
 * Returns the source of a workflow function; `''` if it has none. A wrapper function can return the source of the
 * original in its own `toString`; it must then call the original with the same steps.
 *
 * @param workflow - The workflow with the function.
 */
export function sourceOf({ run }: RegisteredWorkflow): string {
  try {
    return String(run)
  } catch {
    return ''
  }
}
