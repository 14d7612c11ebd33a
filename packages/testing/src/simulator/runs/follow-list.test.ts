import { workflow } from '@trestle/core'
import { expect, test, vi } from 'vitest'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const service = 'listed'
const items = ['a', 'b'].map((id) => ({ id }))

test('detects a step after the last listed one, and none if all are listed', async () => {
  const late = workflow('late', async ({ step, payload }) => {
    await step.sms('first', () => ({ body: 'b' }))
    for (const { id } of (payload['items'] ?? []) as { id: string }[]) await step.sms(`to ${id}`, () => ({ body: id }))
  })
  const bridge = testBridge({ workflows: [late], logger, service })
  const run = await bridge.run(late, { payload: { items } })
  expect(run.unlisted).toEqual(['to a'])
  expect(run).not.toHaveCompleted()
  const bare = testBridge({ workflows: [late], logger, service })
  expect((await bare.run(late, { payload: {} })).unlisted).toEqual([])
})

test('reports unlisted steps per trigger', async () => {
  const late = workflow('late', async ({ step, payload }) => {
    await step.sms('first', () => ({ body: 'b' }))
    if (payload['id'] !== undefined) await step.sms(`to ${payload['id']}`, () => ({ body: 'b' }))
  })
  const triggers = [{ payload: { id: 'ada' } }]
  const run = await testBridge({ workflows: [late], logger, service }).run(late, { payload: {}, triggers })
  expect([run, ...run.others].map(({ unlisted }) => unlisted)).toEqual([[], ['to ada']])
  expect(() => expect(run).toHaveCompleted()).toThrow('the service never calls them: "to ada"')
})

test('a step can have any id that the search could use', async () => {
  const named = workflow('named', async ({ step }) => {
    await step.sms('end-of-the-run', () => ({ body: 'b' }))
    await step.sms('end-of-the-run-', () => ({ body: 'b' }))
  })
  const handled = vi.fn()
  const run = await testBridge({ workflows: [named], service, hooks: { onReply: handled } }).run(named)
  expect(run).toHaveSent('sms', {}, { times: 2 })
  expect([run.unlisted, handled.mock.calls.length]).toEqual([[], 3])
  const sent = vi.fn(() => ({ body: 'b' }))
  const once = workflow('once', async ({ step }) => void (await step.sms('end-of-the-run', sent)))
  await testBridge({ workflows: [once], service }).run(once)
  expect(sent).toHaveBeenCalledOnce()
})

test('the search does not affect handlers, stubs and hooks', async () => {
  const handler = vi.fn(() => ({ body: 'b' }))
  const stub = vi.fn(() => ({}))
  const onReply = vi.fn()
  const onError = vi.fn()
  const plain = workflow('plain', async ({ step }) => {
    await step.custom('look', () => ({}))
    await step.sms('text', handler)
  })
  const bridge = testBridge({ workflows: [plain], service, hooks: { onReply, onError } })
  const run = await bridge.run(plain, { doubles: { look: stub } })
  expect(run).toHaveCompleted()
  expect([handler.mock.calls.length, stub.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1, 0])
  expect(onReply.mock.calls.map(([{ stepId, status }]) => [stepId, status])).toEqual([
    [undefined, 200],
    ['look', 200],
    ['text', 200],
  ])
})

test('hooks do not receive errors after the last step, which the service never reaches', async () => {
  const onError = vi.fn()
  let sent = false
  const throws = workflow('throws', async ({ step }) => {
    await step.sms('text', () => {
      sent = true
      return { body: 'b' }
    })
    if (sent) throw new Error('too late')
  })
  const run = await testBridge({ workflows: [throws], hooks: { onError }, logger, service }).run(throws)
  expect([run.status, sent, onError.mock.calls]).toEqual(['completed', true, []])
})
