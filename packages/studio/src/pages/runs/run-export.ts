import type { RunLine } from '../../api/generated/resources.ts'
import { mainReasonOf } from '../../runs/main-reason.ts'
import { shownStatus } from '../../runs/run-status.tsx'

/** The maximum number of runs per file. */
export const mostExported = 5000

const columns = [
  ...['id', 'workflow', 'subscriber', 'transaction', 'status', 'startedAt', 'finishedAt', 'durationMs'],
  ...['step', 'reason', 'errorCode'],
] as const

/** Returns runs as comma-separated values with a header. */
export function toCsv(runs: readonly RunLine[]): string {
  const rows = runs.map((run) => {
    const main = mainReasonOf(run)
    const duration = run.finishedAt === null ? '' : Math.max(0, Date.parse(run.finishedAt) - Date.parse(run.createdAt))
    return [
      ...[run._id, run.workflowId, run.subscriberId, run.transactionId, shownStatus(run)],
      ...[run.createdAt, run.finishedAt ?? '', String(duration)],
      ...[main?.stepId ?? '', main?.reason.message ?? '', main?.reason.code ?? ''],
    ]
  })
  return [columns, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}

/** A spreadsheet would evaluate a value that starts with one of these characters; a leading quote marks it as text. */
const formula = /^[=+\-@\t\r\n]/

function toCell(value: string): string {
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
