import { expect, test } from 'vitest'
import { details } from '../../engine/decision/detail.ts'
import type { JobRow } from '../../store/schema/run.ts'
import { type ReasonRows, toStepReason } from './step-reason.ts'

const read = (status: JobRow['status'], rows: Partial<ReasonRows>, digestedRunId: string | null = null) => {
  const job = { id: 'job', runId: 'run', type: 'sms', status, error: null } as const
  const none: ReasonRows = { lines: new Map(), failures: new Map(), unsent: new Map(), warned: new Set() }
  return toStepReason({ job, subscriberId: 'ada', digestedRunId }, { ...none, ...rows })
}
const lineOf = ({ detail }: { readonly detail: string }, raw: object | null): Partial<ReasonRows> => {
  const line = { runId: 'run', jobId: 'job', detail, status: 'Success' as const }
  return { lines: new Map([['job', { ...line, raw: raw && JSON.stringify(raw) }]]) }
}

test.each([
  ['subscriberWorkflow', 'ada has turned SMS off for this workflow.'],
  ['subscriber', 'ada has turned SMS off for all workflows.'],
  ['tenant', 'SMS is turned off for the tenant of the run.'],
  ['stored', 'SMS is turned off in the saved preferences of the workflow.'],
  ['workflow', 'SMS is off by default in the code of the workflow.'],
  ['constructor', 'SMS is turned off by a preference.'],
])('names the preference of %s', (source, message) => {
  const reason = read('skipped', lineOf(details.filtered, { preferences: source }))
  expect(reason).toEqual({ kind: 'preference', source, message })
})

test.each([
  [details.throttled, { executionCount: 4, threshold: 3 }, 'Throttled: run 4 of a window that allows 3.'],
  [details.throttled, null, 'Throttled: the window allows no more runs.'],
  [details.skippedAfterThrottle, null, 'Held back by the throttle before it.'],
])('names a throttle: %#', (detail, raw, message) => {
  expect(read('skipped', lineOf(detail, raw))).toEqual({ kind: 'throttle', message })
})

test.each([
  [{ by: 'api' }, 'Canceled by an API call for its transaction.'],
  [{ by: 'event', event: 'order.paid', eventId: '7' }, 'Canceled by the event "order.paid".'],
  [{ by: 'event' }, 'Canceled with its run.'],
  [{ by: 'parent', runId: '7' }, 'Canceled with the run whose step awaited it.'],
  [null, 'Canceled with its run.'],
])('says what canceled a step: %j', (raw, message) => {
  expect(read('canceled', lineOf(details.canceled, raw))).toEqual({ kind: 'canceled', message })
})

test('links a merged step to the run of its digest, preferring the run in its own entry', () => {
  const message = 'Merged into the open digest of another run.'
  const own = lineOf(details.digestMerged, { runId: 'own' })
  expect(read('merged', own, 'digest')).toEqual({ kind: 'merged', message, runId: 'own' })
  const bare = lineOf(details.digestMerged, null)
  expect(read('merged', bare, 'digest')).toEqual({ kind: 'merged', message, runId: 'digest' })
  expect(read('merged', bare)).toEqual({ kind: 'merged', message })
})

test('gives no reason for a step that sent or can still send, regardless of its history', () => {
  for (const status of ['pending', 'queued', 'running', 'delayed', 'completed'] as const)
    expect(read(status, lineOf(details.skipped, null))).toBeNull()
  expect(read('skipped', lineOf(details.skipped, null))).toMatchObject({ kind: 'skip' })
})
