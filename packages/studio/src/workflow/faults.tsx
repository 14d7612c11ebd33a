import type { ReactNode } from 'react'
import type { Problem, Warning, WorkflowManifest } from '../api/generated/resources.ts'
import { Badge } from '../ui/badge.tsx'

/** The number of problems and warnings of a workflow. */
export interface Faults {
  /** Problems, which prevent it from running. */
  readonly problems: number
  readonly warnings: number
}

/**
 * Counts the problems and warnings of a workflow.
 *
 * @param workflow - The workflow.
 * @param problems - The problems of all workflows.
 */
export function countFaults(workflow: WorkflowManifest, problems: readonly Problem[]): Faults {
  return {
    problems: problems.filter(({ workflowId }) => workflowId === workflow.workflowId).length,
    warnings: workflow.warnings?.length ?? 0,
  }
}

/** Shows the number of problems and warnings of a workflow as badges. */
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
      Healthy
    </Badge>
  )
}

/** Converts the warnings of a workflow to a common format. */
export function warningsOf({ warnings = [], steps }: WorkflowManifest): readonly Warning[] {
  return warnings.map((warning) => {
    if (typeof warning === 'string') return { message: warning }
    const stepId = warning.stepId ?? steps.find((step) => warning.message.includes(`step "${step.stepId}"`))?.stepId
    return { ...warning, ...(stepId !== undefined && { stepId }) }
  })
}
