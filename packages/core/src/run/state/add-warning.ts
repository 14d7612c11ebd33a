import type { Warning } from '@trestle/protocol'
import type { RunScope } from './step-run.ts'

const maxWarnings = 20

/**
 * Adds a warning to the reply of a run. Each text is added only once, and at most twenty texts are added.
 *
 * @param scope - The run to which the reply belongs.
 * @param warning - The warning to add.
 */
export function addWarning(scope: RunScope, warning: Warning): void {
  scope.warnings ??= []
  const { warnings } = scope
  if (warnings.length < maxWarnings && !warnings.some(({ message }) => message === warning.message))
    warnings.push(warning)
}
