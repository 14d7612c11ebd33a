import { describe, expect, test, vi } from 'vitest'
import { askBridge, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import type { Step } from '../../workflow/steps/step-kinds.ts'
import { workflow } from '../../workflow/workflow.ts'

type Context = { readonly step: Step; readonly payload: Record<string, unknown> }

// A value that stands nowhere in the function's own text, so that discovery cannot know it.
const limit = 1000 + Math.round(Math.random())
const flow = (run: (context: Context) => unknown) => workflow('w', run as never)
const bridgeOf = (run: (context: Context) => unknown, warn = vi.fn()) => ({
  warn,
  bridge: createBridge({ workflows: [flow(run)], strictAuthentication: false, logger: { ...silent, warn } }),
})
const sms = (step: Step, id: string): Promise<unknown> => step.sms(id, () => ({ body: id }))

const idsOf = (body: { workflows: { steps: { stepId: string }[] }[] }): string[] =>
  body.workflows[0]?.steps.map(({ stepId }) => stepId) ?? []

describe('a step behind the last listed one, which discovery has missed', () => {
  test.each<[string, (context: Context) => Promise<unknown>, object]>([
    [
      'a condition on the payload',
      async ({ step, payload }) => {
        await sms(step, 'first')
        if ((payload['total'] as number) === limit * 7) await sms(step, 'lost')
      },
      { payload: { total: limit * 7 } },
    ],
    [
      'a condition on what the step returned',
      async ({ step }) => {
        const { total } = (await step.custom('first', () => ({ total: limit * 7 }))) as { total: number }
        if (total === limit * 7) await sms(step, 'lost')
      },
      {},
    ],
  ])(
    '%s: the run that comes so far says so, and the next discover lists it in its place',
    async (_name, run, event) => {
      const { bridge, warn } = bridgeOf(run)
      const before = await askBridge(bridge, { action: 'discover' })
      expect(idsOf(before.body)).toEqual(['first'])
      const reply = await askBridge(bridge, { workflow: 'w', step: 'first', ...event })
      expect(reply.status).toBe(200)
      expect(reply.body.metadata.warnings).toMatchObject([
        { code: 'StepNotListed', message: expect.stringMatching(/"lost"/) },
      ])
      expect(warn.mock.calls.flat().filter((text) => /"lost".*sync again/.test(String(text)))).toHaveLength(1)
      expect(idsOf((await askBridge(bridge, { action: 'discover' })).body)).toEqual(['first', 'lost'])
    },
  )

  test('the first call of a process learns it, however short the process has been there', async () => {
    const real = performance.now.bind(performance)
    const beginMs = real()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (real() - beginMs) / 1000)
    try {
      const { bridge } = bridgeOf(async ({ step, payload }) => {
        await sms(step, 'first')
        if (payload['total'] === limit * 7) await sms(step, 'lost')
      })
      await askBridge(bridge, { action: 'discover' })
      const { body } = await askBridge(bridge, { workflow: 'w', step: 'first', payload: { total: limit * 7 } })
      expect(body.metadata.warnings).toMatchObject([{ code: 'StepNotListed' }])
    } finally {
      clock.mockRestore()
    }
  })

  test('no handler runs for it, and a run that reaches nothing more says nothing', async () => {
    const handler = vi.fn(() => ({ body: 'x' }))
    const { bridge } = bridgeOf(async ({ step, payload }) => {
      await sms(step, 'first')
      if (payload['total'] === limit * 7) await step.sms('lost', handler)
    })
    await askBridge(bridge, { action: 'discover' })
    const plain = await askBridge(bridge, { workflow: 'w', step: 'first', payload: { total: 1 } })
    expect(plain.body.metadata.warnings).toBeUndefined()
    expect(handler).not.toHaveBeenCalled()
  })

  test('a function that fails on sample results changes nothing', async () => {
    const { bridge } = bridgeOf(async ({ step }) => {
      const result = (await step.custom('first', () => ({ list: [1] }))) as { list: number[] }
      const next = (await step.custom('second', () => ({ deep: { value: result.list.length } }))) as {
        deep?: { value: number }
      }
      if (next.deep === undefined) throw new Error('never on real data')
    })
    await askBridge(bridge, { action: 'discover' })
    const reply = await askBridge(bridge, { workflow: 'w', step: 'first' })
    expect([reply.status, reply.body.outputs]).toEqual([200, { list: [1] }])
  })
})
