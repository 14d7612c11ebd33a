import { expect, it } from 'vitest'
import { type Answer, askBridge, silent } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests of any shape.
type Data = any

const body = { body: 'x' }

it('a step whose condition is false needs no timer', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `s${index}`)
  const run = async ({ step, payload }: Data): Promise<void> => {
    for (const id of ids) if (payload[id]) await step.sms(id, () => body)
    await step.sms('end', () => body)
  }
  const bridge = createBridge({ workflows: [workflow('w', run)], strictAuthentication: false, logger: silent })
  const call = (step: string): Promise<Answer> =>
    askBridge(bridge, { workflow: 'w', step, payload: { s0: true, s5: true, s9: true } })
  await call('s1')
  const { setTimeout: own } = globalThis
  const delays: unknown[] = []
  globalThis.setTimeout = ((...args: Parameters<typeof own>) => {
    delays.push(args[1])
    return own(...args)
  }) as typeof own
  try {
    expect((await call('s0')).body.options).toEqual({ skip: false })
    const state = { s0: {}, s5: {}, s9: {} }
    for (const id of ids.filter((one) => !(one in state))) {
      const { body: reply } = await askBridge(bridge, {
        workflow: 'w',
        step: id,
        payload: { s0: true, s5: true, s9: true },
        state,
      })
      expect(reply.options).toEqual({ skip: true })
    }
  } finally {
    globalThis.setTimeout = own
  }
  // Only the deadlines of the calls.
  expect(delays.filter((ms) => Number(ms) < 4000)).toEqual([])
})
