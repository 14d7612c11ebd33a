import type { ReactNode } from 'react'
import type { Problem, StepManifest, WorkflowManifest } from '../../api/generated/resources.ts'
import { Notice } from '../../ui/notice.tsx'
import { warningsOf } from '../../workflow/faults.tsx'

export interface StepFaultsProps {
  /** The workflow that contains the step. */
  readonly workflow: WorkflowManifest
  readonly step: StepManifest
  /** The problems of the step. */
  readonly problems: readonly Problem[]
}

/** Shows a step's problems and discovery warnings. */
export function StepFaults({ workflow, step, problems }: StepFaultsProps): ReactNode {
  const warnings = warningsOf(workflow).filter(({ stepId }) => stepId === step.stepId)
  return (
    <>
      {problems.map(({ code, message }) => (
        <Notice key={`${code} ${message}`} tone="bad" title={message} code={code} />
      ))}
      {warnings.map(({ code, message }) => (
        <Notice key={`${code} ${message}`} tone="warn" title={message} code={code} />
      ))}
    </>
  )
}
