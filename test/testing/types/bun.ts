/// <reference types="bun-types/test.d.ts" />
import '@trestle/testing/bun'
import { expect } from 'bun:test'
import type { ConversationReport, RunReport } from '@trestle/testing'

export async function asks(run: RunReport, promise: Promise<RunReport>): Promise<void> {
  expect(run).toHaveSent('email', { subject: /Hello/ }, { times: 2, at: 0 })
  expect(run).not.toHaveSent('inApp')
  expect(run).toHaveSentOnly('sms', ['email', { body: 'b' }, { stepId: 'mail' }])
  expect(run).toHaveSkipped('mail')
  expect(run).toHaveFailed('mail', { status: 502 })
  await expect(promise).resolves.toHaveCompleted()
  // @ts-expect-error There is no such channel.
  expect(run).toHaveSent('emial')
  // @ts-expect-error An email has no such field.
  expect(run).toHaveSent('email', { subjct: 'Hello' })
  // @ts-expect-error A text message has no such field.
  expect(run).toHaveSentOnly(['sms', { subject: 'Hello' }])
  // @ts-expect-error A failure has no such field.
  expect(run).toHaveFailed('mail', { stauts: 502 })
}

export function asksOfAgents(talk: ConversationReport): void {
  expect(talk).toHaveSaid(/Hello/, { times: 2 })
  expect(talk).not.toHaveSaid({ text: 'Hello' })
  expect(talk).toHaveAsked('refund', { type: 'approval' })
  expect(talk).toHaveBeenResolved('done')
  // @ts-expect-error A message has no such field.
  expect(talk).toHaveSaid({ txt: 'Hello' })
  // @ts-expect-error A question has no such field.
  expect(talk).toHaveAsked('refund', { tpye: 'approval' })
}
