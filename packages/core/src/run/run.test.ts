import { describe, expect, it, vi } from 'vitest'
import { type Ask, ask, flow, gives } from '../call-bridge.fixture.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const after = vi.fn()

/** Creates a custom step that returns its own id. */
const custom = (step: Step, id: string): Promise<unknown> => step.custom(id, gives(id))

interface Case {
  readonly name: string
  readonly run: (context: { step: Step; payload: Record<string, unknown> }) => unknown
  readonly ask: Ask
  /** `T`: the step's outputs. `skip`: a 200 response without outputs. Otherwise: an error code. */
  readonly gives: string
  /** The step that is missing from an invalid state. */
  readonly missing?: string
}

const cases: readonly Case[] = [
  {
    name: 'a sequence gives the outputs of the requested step',
    run: async ({ step }) => {
      await custom(step, 'a')
      await custom(step, 'T')
      after()
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'T',
  },
  {
    name: 'no code that waits for the step runs: catch, finally and what follows',
    run: async ({ step }) => {
      try {
        await custom(step, 'T')
        after()
      } catch {
        after()
      } finally {
        after()
      }
      after()
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'Promise.all, the step first, its sibling without a result',
    run: ({ step }) => Promise.all([custom(step, 'T'), custom(step, 'b')]),
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'Promise.all, the step last, its sibling without a result',
    run: ({ step }) => Promise.all([custom(step, 'b'), custom(step, 'T')]),
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'two branches of two steps, the second of the second',
    run: ({ step }) =>
      Promise.all([
        custom(step, 'a1').then(() => custom(step, 'a2')),
        custom(step, 'b1').then(() => custom(step, 'T')),
      ]),
    ask: { step: 'T', state: { b1: { id: 'b1' } } },
    gives: 'T',
  },
  {
    name: 'Promise.any round the step',
    run: async ({ step }) => {
      await Promise.any([custom(step, 'T'), custom(step, 'b')])
      after()
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'Promise.allSettled round the step',
    run: async ({ step }) => {
      await Promise.allSettled([custom(step, 'T')])
      after()
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'a race whose winner is stored and whose loser is not',
    run: async ({ step }) => {
      await Promise.race([custom(step, 'a'), custom(step, 'b')])
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'T',
  },
  {
    name: 'a race of which neither is stored',
    run: async ({ step }) => {
      await Promise.race([custom(step, 'a'), custom(step, 'b')])
      await custom(step, 'T')
    },
    ask: { step: 'T' },
    gives: 'ExecutionStateCorruptError',
    missing: 'a',
  },
  {
    name: 'a join of two, one of them missing',
    run: async ({ step }) => {
      await Promise.all([custom(step, 'a'), custom(step, 'b')])
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'ExecutionStateCorruptError',
    missing: 'b',
  },
  {
    name: 'an earlier step of a sequence is missing',
    run: async ({ step }) => {
      await custom(step, 'a')
      await custom(step, 'b')
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'ExecutionStateCorruptError',
    missing: 'b',
  },
  {
    name: 'an earlier step is missing, with other work between',
    run: async ({ step }) => {
      await custom(step, 'a')
      await wait(15)
      await custom(step, 'T')
    },
    ask: { step: 'T' },
    gives: 'ExecutionStateCorruptError',
    missing: 'a',
  },
  ...[20, 120].map((ms) => ({
    name: `a sibling is missing while the step's branch works for ${ms} ms`,
    run: ({ step }: { step: Step }) =>
      Promise.all([
        custom(step, 'a').then(() => custom(step, 'a2')),
        (async () => {
          await wait(ms)
          await custom(step, 'T')
        })(),
      ]),
    ask: { step: 'T' },
    gives: 'T',
  })),
  {
    name: 'a condition is false, a later step waits',
    run: async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
      await custom(step, 'b')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'skip',
  },
  {
    name: 'a condition is false, nothing else waits',
    run: async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'skip',
  },
  {
    name: 'a condition is false, with other work before it',
    run: async ({ step, payload }) => {
      await wait(5)
      if (payload['vip']) await custom(step, 'T')
      await custom(step, 'b')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'skip',
  },
  {
    name: 'an earlier step is missing and the condition is false',
    run: async ({ step, payload }) => {
      await custom(step, 'a')
      if (payload['vip']) await custom(step, 'T')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'ExecutionStateCorruptError',
    missing: 'a',
  },
  {
    name: 'exclusive branches, the other one taken',
    run: async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
      else await custom(step, 'b')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'skip',
  },
  {
    name: 'branches that meet again: the waiting one stands in front of the step',
    run: async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'u')
      else await custom(step, 'v')
      await custom(step, 'T')
    },
    ask: { step: 'T', payload: { vip: false } },
    gives: 'ExecutionStateCorruptError',
    missing: 'v',
  },
  {
    name: 'the order of two steps depends on the payload',
    run: async ({ step, payload }) => {
      if (payload['first']) {
        await custom(step, 'T')
        await custom(step, 'b')
      } else {
        await custom(step, 'b')
        await custom(step, 'T')
      }
    },
    ask: { step: 'T', payload: { first: false } },
    gives: 'ExecutionStateCorruptError',
    missing: 'b',
  },
  {
    name: 'an early return',
    run: async ({ step, payload }) => {
      if (!payload['vip']) return
      await custom(step, 'T')
    },
    ask: { step: 'T' },
    gives: 'skip',
  },
  {
    name: 'an unknown step, the function ends',
    run: async ({ step }) => {
      await custom(step, 'a')
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'StepNotFoundError',
  },
  {
    name: 'an unknown step, the function waits',
    run: async ({ step }) => {
      await custom(step, 'a')
    },
    ask: { step: 'T' },
    gives: 'StepNotFoundError',
  },
  {
    name: 'an unknown step, the function awaits other work for ever: at the deadline',
    run: async ({ step }) => {
      await wait(5)
      await Promise.race([custom(step, 'a'), wait(60)])
      await custom(step, 'b')
    },
    ask: { step: 'T', options: { timeoutMs: 1500 } },
    gives: 'StepNotFoundError',
  },
  {
    name: 'the step is not awaited and the function returns',
    run: ({ step }) => {
      void custom(step, 'T')
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'a branch that is not awaited reaches the step 50 microtasks after the return',
    run: ({ step }) => {
      void (async () => {
        for (let turns = 0; turns < 50; turns++) await undefined
        await custom(step, 'T')
      })()
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'a().then(() => T()), not awaited, a missing',
    run: ({ step }) => {
      void custom(step, 'a').then(() => custom(step, 'T'))
    },
    ask: { step: 'T' },
    gives: 'ExecutionStateCorruptError',
    missing: 'a',
  },
  {
    name: 'a loop with distinct ids',
    run: async ({ step }) => {
      for (let index = 0; index < 5; index++) await custom(step, index === 3 ? 'T' : `s${index}`)
    },
    ask: { step: 'T', state: { s2: {}, s1: {}, s0: {} } },
    gives: 'T',
  },
  {
    name: 'one id twice in parallel',
    run: ({ step }) => Promise.all([custom(step, 'T'), custom(step, 'T')]),
    ask: { step: 'T' },
    gives: 'StepAlreadyExistsError',
  },
  {
    name: 'one id twice, then the step',
    run: async ({ step }) => {
      await custom(step, 'a')
      await custom(step, 'a')
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: {} } },
    gives: 'StepAlreadyExistsError',
  },
  {
    name: 'the step itself in a sequential loop: the first one runs',
    run: async ({ step }) => {
      for (let index = 0; index < 3; index++) await custom(step, 'T')
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'the function throws before the step',
    run: async () => {
      throw new Error('no')
    },
    ask: { step: 'T' },
    gives: 'WorkflowExecutionFailedError',
  },
  {
    name: 'the function throws synchronously',
    run: () => {
      throw new Error('no')
    },
    ask: { step: 'T' },
    gives: 'WorkflowExecutionFailedError',
  },
  {
    name: 'the function throws after a step that is not awaited',
    run: ({ step }) => {
      void custom(step, 'T')
      throw new Error('no')
    },
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'the function throws beside the step',
    run: ({ step }) =>
      Promise.all([
        custom(step, 'T'),
        (async () => {
          throw new Error('no')
        })(),
      ]),
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'a stored result does not fit, inside a try',
    run: async ({ step }) => {
      try {
        await step.delay('a', () => ({ amount: 1, unit: 'hours' }))
      } catch {
        after()
      }
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: { duration: 'long' } } },
    gives: 'ExecutionStateResultInvalidError',
  },
  {
    name: 'a stored result beside the step does not fit',
    run: ({ step }) =>
      Promise.all([
        custom(step, 'T'),
        (async () => {
          await step.delay('a', () => ({ amount: 1, unit: 'hours' }))
          await step.delay('b', () => ({ amount: 1, unit: 'hours' }))
        })(),
      ]),
    ask: { step: 'T', state: { b: { duration: 'long' }, a: { duration: 1 } } },
    gives: 'T',
  },
  {
    name: 'a schema of the step is none',
    run: ({ step }) => step.custom('T', () => ({}), { outputSchema: { type: 'nope' } as never }),
    ask: { step: 'T' },
    gives: 'WorkflowDiscoveryFailedError',
  },
  {
    name: 'a schema of an earlier step is none',
    run: async ({ step }) => {
      await step.custom('a', () => ({}), { outputSchema: 5 as never })
      await custom(step, 'T')
    },
    ask: { step: 'T', state: { a: {} } },
    gives: 'WorkflowDiscoveryFailedError',
  },
  {
    name: 'the function hangs before the step',
    run: () => new Promise(() => undefined),
    ask: { step: 'T', options: { timeoutMs: 60 } },
    gives: 'StepExecutionTimeoutError',
  },
  {
    name: 'a handler calls a step inside itself',
    run: ({ step }) =>
      step.custom('T', async () => {
        await custom(step, 'inner')
        return {}
      }),
    ask: { step: 'T', options: { timeoutMs: 60 } },
    gives: 'StepExecutionTimeoutError',
  },
  {
    name: 'the function returns a thenable',
    run: ({ step }) => ({
      then(done: () => void) {
        void custom(step, 'T')
        done()
      },
    }),
    ask: { step: 'T' },
    gives: 'T',
  },
  {
    name: 'a handler awaits an earlier step',
    run: async ({ step }) => {
      const earlier = custom(step, 'a')
      await step.custom('T', async () => ({ id: ((await earlier) as { id: string }).id.replace('a', 'T') }))
    },
    ask: { step: 'T', state: { a: { id: 'a' } } },
    gives: 'T',
  },
]

describe('a run', () => {
  it.each(cases)('$name', async ({ run, ask: asked, gives: expected, missing }) => {
    after.mockClear()
    const { status, body } = await ask(flow(run), asked)
    const got = status === 200 ? (body.options.skip ? 'skip' : body.outputs.id) : body.code
    expect(got).toBe(expected)
    if (missing) expect(body.data).toEqual({ workflowId: 'flow', stepId: missing })
    await wait(0)
    expect(after).not.toHaveBeenCalled()
  })

  it('continues after a race that something other than a step won', async () => {
    const { body } = await ask(
      flow(async ({ step }) => {
        await Promise.race([
          step.custom('T', async () => {
            await wait(30)
            return { id: 'T' }
          }),
          wait(5),
        ])
        after()
      }),
      { step: 'T' },
    )
    expect(body.outputs).toEqual({ id: 'T' })
    expect(after).toHaveBeenCalled()
  })

  it('names the inner step that a handler waits for', async () => {
    const { body } = await ask(
      flow(({ step }) =>
        step.custom('T', async () => {
          await custom(step, 'inner')
          return {}
        }),
      ),
      { step: 'T', options: { timeoutMs: 50 } },
    )
    expect(body.message).toMatch(/handler of step "T"/)
    expect(body.message).toMatch(/inner/)
    expect(body.data).toEqual({ timeoutMs: 50, stepId: 'T', type: 'custom' })
  })
})
