import type { ReactNode } from 'react'
import type { RunStatus, RunStep, StepStatus } from '../../api/generated/resources.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<RunStatus | StepStatus, Tone>> = {
  pending: 'neutral',
  queued: 'neutral',
  running: 'accent',
  delayed: 'warn',
  completed: 'good',
  failed: 'bad',
  canceled: 'neutral',
  merged: 'neutral',
  skipped: 'neutral',
}

const texts: Readonly<Record<RunStatus | StepStatus, string>> = {
  pending: 'Pending',
  queued: 'Queued',
  running: 'Running',
  delayed: 'Waiting',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  merged: 'Merged',
  skipped: 'Skipped',
}

/** Returns what the colour of a state says. */
export function toneOf(status: RunStatus | StepStatus): Tone {
  return tones[status] ?? 'neutral'
}

/** Returns what people call a state. */
export function textOf(status: RunStatus | StepStatus): string {
  return texts[status] ?? status
}

/** Returns how a run is shown: one that only waits does nothing, though its state is `running`. */
export function shownStatus(run: {
  readonly status: RunStatus
  readonly steps: readonly RunStep[]
}): RunStatus | 'delayed' {
  const isBusy = run.steps.some(({ status }) => status === 'running' || status === 'queued')
  return run.status === 'running' && !isBusy && run.steps.some(({ status }) => status === 'delayed')
    ? 'delayed'
    : run.status
}

/** Shows how a run or step stands. */
export function StatusBadge({ status }: { readonly status: RunStatus | StepStatus }): ReactNode {
  return (
    <Badge tone={toneOf(status)} dot>
      {textOf(status)}
    </Badge>
  )
}
