import type { ReactNode } from 'react'
import type { Problem, Warning, WorkflowManifest } from '../api/generated/resources.ts'
import { Badge } from '../ui/badge.tsx'

/** How much is wrong with a workflow. */
export interface Faults {
  /** What keeps it from its work. */
  readonly problems: number
  /** What could be better. */
  readonly warnings: number
}

/**
 * Counts what is wrong with a workflow.
 *
 * @param workflow - The workflow.
 * @param problems - What is wrong with all of them.
 */
export function countFaults(workflow: WorkflowManifest, problems: readonly Problem[]): Faults {
  return {
    problems: problems.filter(({ workflowId }) => workflowId === workflow.workflowId).length,
    warnings: workflow.warnings?.length ?? 0,
  }
}

/** Shows in badges how much is wrong with a workflow. */
export function FaultBadges({ problems, warnings }: Faults): ReactNode {
  if (problems > 0)
    return (
      <Badge dot tone="bad">
        {problems === 1 ? '1 problem' : `${problems} problems`}
      </Badge>
    )
  if (warnings > 0)
    return (
      <Badge dot tone="warn">
        {warnings === 1 ? '1 warning' : `${warnings} warnings`}
      </Badge>
    )
  return (
    <Badge dot tone="good">
      fine
    </Badge>
  )
}

/**
 * Returns the warnings of a workflow in one form.
 *
 * @param workflow - The workflow.
 */
export function warningsOf({ warnings = [], steps }: WorkflowManifest): readonly Warning[] {
  return warnings.map((warning) => {
    if (typeof warning === 'string') return { message: warning }
    const stepId = warning.stepId ?? steps.find((step) => warning.message.includes(`step "${step.stepId}"`))?.stepId
    return { ...warning, ...(stepId !== undefined && { stepId }) }
  })
}
