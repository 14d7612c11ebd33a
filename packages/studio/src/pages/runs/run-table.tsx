import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { RunLine } from '../../api/generated/resources.ts'
import { mainReasonOf } from '../../runs/main-reason.ts'
import { StatusBadge, shownStatus } from '../../runs/run-status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { formatDuration, TimeText } from '../../ui/time-text.tsx'
import style from './run-table.module.css'
import { StepStrip } from './step-strip.tsx'

const columns: readonly Column<RunLine>[] = [
  {
    key: 'workflow',
    title: 'Workflow',
    oneLine: true,
    show: ({ _id, workflowName }) => <Link to={`/runs/${_id}`}>{workflowName}</Link>,
  },
  {
    key: 'subscriber',
    title: 'Subscriber',
    oneLine: true,
    show: ({ subscriberId }) => <Link to={`/subscribers/${toPathName(subscriberId)}`}>{subscriberId}</Link>,
  },
  { key: 'status', title: 'Status', show: (run) => <StatusBadge status={shownStatus(run)} /> },
  { key: 'steps', title: 'Steps', wideOnly: true, show: ({ steps }) => <StepStrip steps={steps} /> },
  { key: 'reason', title: 'Details', wideOnly: true, rest: true, show: (run) => <RunReason run={run} /> },
  { key: 'took', title: 'Duration', wideOnly: true, end: true, show: durationOf },
  { key: 'at', title: 'Started', wideOnly: true, end: true, show: ({ createdAt }) => <TimeText at={createdAt} /> },
]

/** Lists runs with the reasons why they did not send everything. */
export function RunTable({ runs }: { readonly runs: readonly RunLine[] }): ReactNode {
  return <Table label="Runs" columns={columns} rows={runs} keyOf={({ _id }) => _id} dense />
}

function RunReason({ run }: { readonly run: RunLine }): ReactNode {
  const main = mainReasonOf(run)
  if (!main) return undefined
  const { reason, stepId } = main
  return (
    <span className={style['reason']} data-tip={reason.message}>
      {stepId !== undefined && <code>{stepId}</code>} {reason.message}
    </span>
  )
}

function durationOf({ createdAt, finishedAt }: RunLine): ReactNode {
  if (finishedAt === null) return undefined
  return (
    <span className={style['took']}>{formatDuration(Math.max(0, Date.parse(finishedAt) - Date.parse(createdAt)))}</span>
  )
}
