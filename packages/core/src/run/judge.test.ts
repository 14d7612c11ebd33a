import { describe, expect, it, vi } from 'vitest'
import { askBridge, flow, gives, silent } from '../ask.fixture.ts'
import { createBridge } from '../bridge.ts'
import type { Step } from '../workflow/step.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const custom = (step: Step, id: string): Promise<unknown> => step.custom(id, gives(id))
type Run = Parameters<typeof flow>[0]

function bridgeOf(run: Run, timeoutMs = 3000): ReturnType<typeof createBridge> {
  return createBridge({ workflows: [flow(run)], strictAuthentication: false, logger: silent, timeoutMs })
}

const ask = (bridge: ReturnType<typeof createBridge>, asked: object): ReturnType<typeof askBridge> =>
  askBridge(bridge, { workflow: 'flow', step: 'T', ...asked })

describe('a branch that works in a way discovery did not see', () => {
  // No sample is equal to a text that only the test knows, so discovery sees no waiting.
  const hidden: Run = ({ step, payload }) =>
    Promise.all([
      custom(step, 'sibling'),
      (async () => {
        if (payload['work'] === 'hidden') await wait(100)
        if (payload['go']) await custom(step, 'T')
      })(),
    ])

  it('still reaches its step, however long the sibling waits', async () => {
    const { body } = await ask(bridgeOf(hidden), { payload: { work: 'hidden', go: true } })
    expect(body.outputs).toEqual({ id: 'T' })
  })

  it('is skipped after a silence, when its condition is false', async () => {
    const startMs = performance.now()
    const { body } = await ask(bridgeOf(hidden), { payload: { work: 'none', go: false } })
    expect(body.options).toEqual({ skip: true })
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(249)
  })

  it('is waited for to the end, once a step call has come after other work', async () => {
    const bridge = bridgeOf(({ step, payload }) =>
      Promise.all([
        custom(step, 'sibling'),
        (async () => {
          if (payload['work'] === 'hidden') await wait(20)
          const beside = custom(step, 'beside')
          if (payload['work'] === 'hidden') await wait(500)
          if (payload['go']) await custom(step, 'T')
          await beside
        })(),
      ]),
    )
    const { body } = await ask(bridge, { payload: { work: 'hidden', go: true } })
    expect(body.outputs).toEqual({ id: 'T' })
  })

  it('never gets a guessed skip: where other work is known, the deadline decides', async () => {
    const bridge = bridgeOf(
      ({ step, payload }) =>
        Promise.all([
          custom(step, 'sibling'),
          (async () => {
            await wait(5)
            if (payload['go']) await custom(step, 'T')
          })(),
        ]),
      600,
    )
    const { status, body } = await ask(bridge, { payload: { go: false } })
    expect([status, body.code]).toEqual([504, 'StepExecutionTimeoutError'])
    expect(body.message).toMatch(/sibling/)
  })
})

describe('judging', () => {
  it('says skip at once where the waiting step comes after the requested one', async () => {
    const bridge = bridgeOf(async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
      await custom(step, 'after')
    })
    const startMs = performance.now()
    expect((await ask(bridge, { payload: { vip: false } })).body.options).toEqual({ skip: true })
    expect(performance.now() - startMs).toBeLessThan(200)
  })

  it('discovers a workflow once, and only when a run comes to rest', async () => {
    const run = vi.fn(async ({ step }: { step: Step }) => {
      await custom(step, 'a')
      await custom(step, 'T')
    })
    const bridge = bridgeOf(run)
    await ask(bridge, { state: { a: {} } })
    expect(run).toHaveBeenCalledTimes(1)
    await ask(bridge, {})
    const discovered = run.mock.calls.length
    expect(discovered).toBeGreaterThan(2)
    await ask(bridge, {})
    expect(run).toHaveBeenCalledTimes(discovered + 1)
  })

  it('blames the first of several that must all come first', async () => {
    const bridge = bridgeOf(async ({ step }) => {
      await Promise.all([custom(step, 'a'), custom(step, 'b'), custom(step, 'c')])
      await custom(step, 'T')
    })
    expect((await ask(bridge, { state: { a: {} } })).body.data).toEqual({ workflowId: 'flow', stepId: 'b' })
  })

  it('finds the missing one of a thousand steps', async () => {
    const bridge = bridgeOf(async ({ step }) => {
      for (let index = 0; index < 1000; index++) await custom(step, `s${index}`)
      await custom(step, 'T')
    })
    const state = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${999 - index}`, {}]))
    delete state['s500']
    expect((await ask(bridge, { state })).body.data).toEqual({ workflowId: 'flow', stepId: 's500' })
  })

  it('tells of a workflow that cannot be discovered, where only discovery could tell', async () => {
    let calls = 0
    const bridge = bridgeOf(async ({ step }) => {
      calls++
      if (calls > 1) throw new Error('the database is down')
      await custom(step, 'a')
    })
    const { status, body } = await ask(bridge, {})
    expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
  })

  it('keeps runs apart: a thousand at once', async () => {
    const bridge = bridgeOf(async ({ step, payload }) => {
      await custom(step, 'a')
      await wait(Number(payload['n']) % 7)
      await step.custom('T', () => ({ n: payload['n'] }))
    })
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => ask(bridge, { payload: { n }, state: { a: {} } })),
    )
    expect(answers.map(({ body }) => body.outputs.n)).toEqual(answers.map((_, n) => n))
  })
})
