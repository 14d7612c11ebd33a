import { expect, test } from 'vitest'
import type { RunLine } from '../../api/generated/resources.ts'
import { toCsv } from './run-export.ts'

const run: RunLine = {
  _id: 'r1',
  workflowId: 'welcome',
  workflowName: 'Welcome',
  transactionId: 't1',
  subscriberId: '=cmd()',
  status: 'completed',
  hasWarnings: true,
  reason: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:02.000Z',
  finishedAt: '2026-01-01T00:00:02.000Z',
  steps: [
    {
      ...{ _id: 's1', stepId: 'mail', type: 'email', status: 'skipped', parallelGroup: null, wave: 0, dueAt: null },
      reason: { kind: 'address', message: 'No "address", none.', code: 'subscriber_email_missing' },
    },
  ],
}

test.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1'])('marks %j as text', (subscriberId) => {
  const [, line = ''] = toCsv([{ ...run, subscriberId }]).split(/\r\n(?=r1|$)/)
  expect(line).toMatch(/^r1,welcome,"?'/)
})

test('writes a line per run, quotes values if needed, and prevents formula injection', () => {
  expect(toCsv([run])).toBe(
    [
      'id,workflow,subscriber,transaction,status,startedAt,finishedAt,durationMs,step,reason,errorCode',
      'r1,welcome,\'=cmd(),t1,warning,2026-01-01T00:00:00.000Z,2026-01-01T00:00:02.000Z,2000,mail,"No ""address"", none.",subscriber_email_missing',
      '',
    ].join('\r\n'),
  )
})
