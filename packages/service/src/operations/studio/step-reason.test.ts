import { expect, test } from 'vitest'
import { noDevice } from '../../channels/webhook/webhook-draft.ts'
import { details } from '../../engine/decision/detail.ts'
import type { JobRow } from '../../store/schema/run.ts'
import { type ReasonRows, toStepReason, toUnreached } from './step-reason.ts'

const read = (status: JobRow['status'], rows: Partial<ReasonRows>, digestedRunId: string | null = null) => {
  const job = { id: 'job', runId: 'run', type: 'sms', status, error: null } as const
  const none: ReasonRows = { lines: new Map(), failures: new Map(), unsent: new Map(), warned: new Set() }
  const run = { externalSubscriberId: 'ada', digestedRunId, tenant: '{"identifier":"acme"}' }
  return toStepReason({ job, run }, { ...none, ...rows })
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
  expect(reason).toEqual({ kind: 'preference', source, message, ...(source === 'tenant' && { tenant: 'acme' }) })
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
  [{ by: 'studio', who: 'ada@example.com' }, 'Canceled in the studio (ada@example.com).'],
  [{ by: 'event', event: 'order.paid', eventId: '7' }, 'Canceled by the event "order.paid".'],
  [{ by: 'event' }, 'Canceled with its run.'],
  [null, 'Canceled with its run.'],
])('says what canceled a step: %j', (raw, message) => {
  expect(read('canceled', lineOf(details.canceled, raw))).toEqual({ kind: 'canceled', message })
})

test('links a canceled step to the run that canceled it', () => {
  const reason = read('canceled', lineOf(details.canceled, { by: 'parent', runId: '7' }))
  const message = 'Canceled with the run whose step awaited it.'
  expect(reason).toEqual({ kind: 'canceled', message, runId: '7' })
})

test('links a message that a provider rejected to its integration', () => {
  const row = { runId: 'run', jobId: 'job', status: 'error', errorText: 'Wrong key.', integrationId: 'smtp' } as const
  const reasonOf = (errorId: string) => read('completed', { unsent: new Map([['job', { ...row, errorId }]]) })
  const message = 'Wrong key.'
  expect(reasonOf('EAUTH')).toEqual({ kind: 'provider', message, code: 'EAUTH', integrationId: 'smtp' })
  expect(reasonOf('canceled')).toEqual({ kind: 'canceled', message, code: 'canceled' })
})

test('gives a reason for every way to skip a step', () => {
  const names = Object.keys(details).filter((name) =>
    /was (?:skipped|filtered)/.test(details[name as 'skipped'].detail),
  )
  expect(names).toEqual(expect.arrayContaining(['skipped', 'filtered', 'eventLeft', 'delayLeft', 'neverReached']))
  const ofRuns = names.filter((name) => name !== 'waitSkipped')
  for (const name of ofRuns) expect(read('skipped', lineOf(details[name as 'skipped'], null)), name).not.toBeNull()
})

test.each([
  ['completed', true, 'Not reached: its condition was false.'],
  ['completed', false, 'Not reached: the workflow ended without it.'],
  ['failed', true, 'Not reached: the run failed before it.'],
  ['canceled', true, 'Not reached: the run was canceled before it.'],
  ['merged', true, 'Not reached: the run was merged into a digest before it.'],
] as const)('says why a %s run did not reach a step, conditional: %s', (status, conditional, message) => {
  const step = { type: 'sms', name: '', controlSchema: {}, conditional, parallelGroup: null, extra: {} } as const
  const steps = [
    { ...step, id: '1', stepId: 'reached' },
    { ...step, id: '2', stepId: 'left' },
    { ...step, id: '4', stepId: 'added later' },
  ]
  const jobs = [{ stepId: 'reached' }]
  const reason = { kind: 'unreached', message }
  expect(toUnreached({ id: '3', status, finishedAt: 7 }, steps, jobs)).toEqual([
    { stepId: 'left', type: 'sms', reason },
  ])
  const running = { id: '3', status: 'running', finishedAt: null } as const
  expect(toUnreached(running, steps, jobs)).toEqual([{ stepId: 'left', type: 'sms', reason: null }])
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
  expect(read('completed', lineOf({ detail: noDevice }, null))).toEqual({ kind: 'address', message: noDevice })
  expect(read('skipped', lineOf(details.skipped, null))).toMatchObject({ kind: 'skip' })
})
