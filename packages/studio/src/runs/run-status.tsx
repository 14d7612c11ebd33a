import type { ReactNode } from 'react'
import type { RunLine, RunStatus, RunStep, StepStatus } from '../api/generated/resources.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import style from './run-status.module.css'

/** A displayed status, which distinguishes completed runs and steps with an unsent message. */
export type ShownStatus = RunStatus | StepStatus | 'warning'

const tones: Readonly<Record<ShownStatus, Tone>> = {
  pending: 'neutral',
  queued: 'neutral',
  running: 'accent',
  delayed: 'accent',
  completed: 'good',
  warning: 'warn',
  failed: 'bad',
  canceled: 'neutral',
  merged: 'neutral',
  skipped: 'neutral',
}

const texts: Readonly<Record<ShownStatus, string>> = {
  pending: 'Pending',
  queued: 'Queued',
  running: 'Running',
  delayed: 'Waiting',
  completed: 'Completed',
  warning: 'Completed with warnings',
  failed: 'Failed',
  canceled: 'Canceled',
  merged: 'Merged',
  skipped: 'Skipped',
}

/** Returns the tone of a status. */
export function toneOf(status: ShownStatus): Tone {
  return tones[status] ?? 'neutral'
}

/** Returns the label of a status. */
export function textOf(status: ShownStatus): string {
  return texts[status] ?? status
}

/** Returns the displayed status of a run: a `running` run whose steps are all waiting is shown as waiting. */
export function shownStatus({
  status,
  hasWarnings,
  steps,
}: Pick<RunLine, 'status' | 'hasWarnings'> & {
  readonly steps: readonly Pick<RunStep, 'status'>[]
}): ShownStatus {
  if (status === 'completed' && hasWarnings) return 'warning'
  const isBusy = steps.some((step) => step.status === 'running' || step.status === 'queued')
  return status === 'running' && !isBusy && steps.some((step) => step.status === 'delayed') ? 'delayed' : status
}

/** Returns the displayed status of a step. */
export function shownStepStatus({ status, reason }: Pick<RunStep, 'status' | 'reason'>): ShownStatus {
  const isUnsent = reason?.kind === 'address' || reason?.kind === 'provider'
  return isUnsent && (status === 'completed' || status === 'skipped') ? 'warning' : status
}

/** Shows a status. A step with an unsent message is labeled as not sent rather than completed. */
export function StatusBadge({ status, ofStep = false }: StatusBadgeProps): ReactNode {
  return (
    <Badge tone={toneOf(status)} dot>
      {status === 'warning' ? ofStep ? 'Not sent' : <Warnings /> : textOf(status)}
    </Badge>
  )
}

export interface StatusBadgeProps {
  readonly status: ShownStatus
  /** Whether it is the status of a step. @default false */
  readonly ofStep?: boolean
}

/** A short label, because the full one is too long for a list on a phone. */
function Warnings(): ReactNode {
  return (
    <>
      <span className={style['long']}>{textOf('warning')}</span>
      <span className={style['short']}>Warnings</span>
    </>
  )
}
