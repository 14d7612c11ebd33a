import { describe, expect, test } from 'vitest'
import { blankMessage } from '../store/blank-rows.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { SubscriberRow } from '../store/schema/subscriber.ts'
import { pendingErrorId, toFeedItem, toInboxItem, toMessage } from './to-message.ts'

const row: MessageRow = {
  ...blankMessage,
  id: 'm1',
  environmentId: 'e1',
  dedupeKey: 'j1:',
  runId: 'r1',
  jobId: 'j1',
  workflowId: 'w1',
  workflowIdentifier: 'welcome',
  subscriberId: 's1',
  transactionId: 't1',
  channel: 'email',
  status: 'sent',
  payload: '{"a":1}',
  deliveredAt: '[0]',
  delivery: 'canary-sealed',
  createdAt: 0,
  updatedAt: 0,
}
const subscriber = { id: 's1', subscriberId: 'ada', firstName: null, lastName: null, avatar: null } as SubscriberRow

describe('a message as the API shows it', () => {
  test('omits absent values, contains no null, and hides the pending request', () => {
    const message = toMessage(row, { organizationId: 'o1' })
    expect(Object.entries(message).filter(([, value]) => value === null || value === undefined)).toEqual([])
    expect(message).not.toHaveProperty('subject')
    expect(message).toMatchObject({
      _id: 'm1',
      _notificationId: 'r1',
      status: 'sent',
      cta: {},
      payload: { a: 1 },
      seen: false,
      createdAt: '1970-01-01T00:00:00.000Z',
      deliveredAt: ['1970-01-01T00:00:00.000Z'],
    })
    expect(JSON.stringify(message)).not.toContain('canary')
  })

  test('shows a pending message as a warning', () => {
    expect(toMessage({ ...row, status: 'pending' }, { organizationId: 'o1' })).toMatchObject({
      status: 'warning',
      errorId: pendingErrorId,
    })
    const failed = toMessage({ ...row, status: 'error', errorId: 'EAUTH', errorText: 'no' }, { organizationId: 'o1' })
    expect(failed).toMatchObject({ status: 'error', errorId: 'EAUTH', errorText: 'no' })
  })

  test('in a feed has a string as its content, regardless of what was stored', () => {
    expect(toFeedItem(row, { organizationId: 'o1' })['content']).toBe('')
    expect(toFeedItem({ ...row, content: '"x"' }, { organizationId: 'o1' })['content']).toBe('x')
    expect(toFeedItem({ ...row, content: '[{"type":"text"}]' }, { organizationId: 'o1' })['content']).toBe(
      '[{"type":"text"}]',
    )
  })

  test('in the inbox contains its buttons and redirect', () => {
    const buttons = [
      { type: 'primary', content: 'Go', url: '/go', target: '_self' },
      { type: 'secondary', content: 'No' },
    ]
    const cta = { data: { url: '/all' }, action: { status: 'done', buttons, result: { type: 'secondary' } } }
    const inboxItem = toInboxItem(
      { ...row, channel: 'in_app', cta: JSON.stringify(cta) },
      { subscriber, workflow: undefined },
    )
    expect(inboxItem).toMatchObject({
      to: { id: 's1', subscriberId: 'ada' },
      redirect: { url: '/all' },
      primaryAction: { label: 'Go', isCompleted: false, redirect: { url: '/go', target: '_self' } },
      secondaryAction: { label: 'No', isCompleted: true },
      readAt: null,
    })
    expect(inboxItem).not.toHaveProperty('workflow')
    expect(inboxItem['secondaryAction']).not.toHaveProperty('redirect')
  })
})
