import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Problem, WorkflowManifest } from '../../api/generated/resources.ts'
import { Notice } from '../../ui/notice.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { warningsOf } from '../../workflow/faults.tsx'

export interface WorkflowFaultsProps {
  readonly workflow: WorkflowManifest
  /** The problems of the workflow. */
  readonly problems: readonly Problem[]
}

/** Shows the problems and warnings of a workflow, with the step of each. */
export function WorkflowFaults({ workflow, problems }: WorkflowFaultsProps): ReactNode {
  const faults = [
    ...problems.map((problem) => ({ ...problem, tone: 'bad' as const })),
    ...warningsOf(workflow).map((warning) => ({ ...warning, tone: 'warn' as const })),
  ]
  return faults.map(({ tone, code, message, stepId }) => (
    <Notice key={`${code} ${message}`} tone={tone} title={message} code={code}>
      {stepId !== undefined && (
        <p>
          Step <Link to={`/workflows/${toPathName(workflow.workflowId)}/steps/${toPathName(stepId)}`}>{stepId}</Link>
        </p>
      )}
    </Notice>
  ))
}
