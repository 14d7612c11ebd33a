import { describe, expect, it, vi } from 'vitest'
import { askBridge, flow, gives, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import type { Step } from '../../workflow/steps/step-kinds.ts'
import { workflow } from '../../workflow/workflow.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const custom = (step: Step, id: string): Promise<unknown> => step.custom(id, gives(id))
type Run = Parameters<typeof flow>[0]

function bridgeOf(run: Run, timeoutMs = 10_000): ReturnType<typeof createBridge> {
  return createBridge({ workflows: [flow(run)], strictAuthentication: false, logger: silent, timeoutMs })
}

const ask = (bridge: ReturnType<typeof createBridge>, asked: object): ReturnType<typeof askBridge> =>
  askBridge(bridge, { workflow: 'flow', step: 'T', ...asked })

// This text is not in the source of any function, so no sample equals it.
const hiddenText = ['hid', 'den'].join('')

describe('a branch with work that discovery did not see', () => {
  // No sample equals a string that only the test contains, so discovery never reaches the wait.
  const hidden: Run = ({ step, payload }) =>
    Promise.all([
      custom(step, 'sibling'),
      (async () => {
        if (payload['work'] === hiddenText) await wait(100)
        if (payload['go']) await custom(step, 'T')
      })(),
    ])

  it('still reaches its step, however long the parallel branch waits', async () => {
    const { body } = await ask(bridgeOf(hidden), { payload: { work: 'hidden', go: true } })
    expect(body.outputs).toEqual({ id: 'T' })
  })

  it('is skipped if its condition is false', async () => {
    const { body } = await ask(bridgeOf(hidden), { payload: { work: 'none', go: false } })
    expect([body.options, body.metadata.reached]).toEqual([{ skip: true }, false])
  })

  it('is awaited to the end once a step call has followed other work', async () => {
    const bridge = bridgeOf(({ step, payload }) =>
      Promise.all([
        custom(step, 'sibling'),
        (async () => {
          if (payload['work'] === hiddenText) await wait(20)
          const beside = custom(step, 'beside')
          if (payload['work'] === hiddenText) await wait(500)
          if (payload['go']) await custom(step, 'T')
          await beside
        })(),
      ]),
    )
    const { body } = await ask(bridge, { payload: { work: 'hidden', go: true } })
    expect(body.outputs).toEqual({ id: 'T' })
  })

  it('is not skipped once other work was seen for the same data', async () => {
    const { status } = await ask(bridgeOf(hidden, 600), { payload: { work: 'hidden', go: false } })
    expect(status).toBe(504)
  })

  it('is never skipped by a guess, and an earlier step is named instead', async () => {
    const bridge = bridgeOf(({ step, payload }) =>
      Promise.all([
        custom(step, 'sibling'),
        (async () => {
          await wait(5)
          if (payload['go']) await custom(step, 'T')
        })(),
      ]),
    )
    const { status, body } = await ask(bridge, { payload: { go: false } })
    expect([status, body.code, body.data.stepId]).toEqual([400, 'ExecutionStateCorruptError', 'sibling'])
  })
})

const texts = (...values: string[]): object => ({ type: 'string', enum: values })
const object = (properties: object): object => ({ type: 'object', properties, required: Object.keys(properties) })
const withSchema = (run: Run, payloadSchema: object): ReturnType<typeof createBridge> =>
  createBridge({
    workflows: [workflow('flow', run as never, { payloadSchema: payloadSchema as { type: 'object' } })],
    strictAuthentication: false,
    logger: silent,
  })
const items = object({ items: { type: 'array', items: object({ id: { type: 'string' } }) } })
const sent = { id: 'T' }
const afterWaiting = async (step: Step, ms: number): Promise<void> => {
  await wait(ms)
  await custom(step, 'T')
}

describe('a path that discovery has not seen loses no message', () => {
  it('with ids from data, in parallel', async () => {
    const run: Run = ({ step, payload }) =>
      Promise.all([
        ...(payload['items'] as { id: string }[]).map(({ id }) => custom(step, `wait-${id}`)),
        afterWaiting(step, 15),
      ])
    expect((await ask(withSchema(run, items), { payload: { items: [{ id: '7' }] } })).body.outputs).toEqual(sent)
  })

  it('with ids from data, in a sequence', async () => {
    const run: Run = async ({ step, payload }) => {
      for (const { id } of payload['items'] as { id: string }[]) await custom(step, `note-${id}`)
      await custom(step, 'T')
    }
    const asked = { payload: { items: [{ id: '7' }, { id: '8' }] }, state: { 'note-7': {} } }
    const { body } = await ask(withSchema(run, items), asked)
    expect([body.code, body.data.stepId]).toEqual(['ExecutionStateCorruptError', 'note-8'])
  })

  it('with values that no sample combines', async () => {
    const run: Run = ({ step, payload }) =>
      Promise.all([
        payload['kind'] === 'express' && custom(step, 'wait'),
        payload['tier'] === 'gold' && afterWaiting(step, 15),
      ])
    const bridge = withSchema(run, object({ kind: texts('a', 'express', 'b'), tier: texts('c', 'gold', 'd') }))
    expect((await ask(bridge, { payload: { kind: 'express', tier: 'gold' } })).body.outputs).toEqual(sent)
    const asked = { payload: { kind: 'express', tier: 'c' } }
    expect((await ask(bridge, asked)).body.data).toEqual({ workflowId: 'flow', stepId: 'wait' })
    expect((await ask(bridge, { ...asked, state: { wait: {} } })).body.options).toEqual({ skip: true })
  })

  it('with more conditions than discovery can try before it waits', async () => {
    const run: Run = async ({ step, payload }) => {
      await wait(1)
      if (payload['p']) await custom(step, 'p')
      if (payload['q']) await custom(step, 'q')
      await Promise.all([!payload['quick'] && custom(step, 'wait'), payload['vip'] && afterWaiting(step, 20)])
    }
    const [yes, no] = [{ type: 'boolean' }, false]
    const bridge = withSchema(run, object({ p: yes, q: yes, quick: yes, vip: yes }))
    expect((await ask(bridge, { payload: { p: no, q: no, quick: no, vip: true } })).body.outputs).toEqual(sent)
  })

  it('with work that takes longer than any inactivity limit', async () => {
    const run: Run = ({ step, payload }) =>
      Promise.all([custom(step, 'sibling'), payload['work'] === hiddenText && afterWaiting(step, 400)])
    expect((await ask(bridgeOf(run), { payload: { work: 'hidden' } })).body.outputs).toEqual(sent)
  })

  it('with work after a race that another step has won', async () => {
    const run: Run = async ({ step, payload }) => {
      if (payload['direct']) return custom(step, 'T')
      const first = await Promise.race([
        custom(step, 'slow').then(() => 'slow'),
        custom(step, 'answer').then(() => 'answer'),
      ])
      if (first === 'slow') return
      await wait(20)
      await custom(step, 'T')
    }
    const asked = { payload: { direct: false }, state: { answer: {} } }
    expect((await ask(bridgeOf(run), asked)).body.outputs).toEqual(sent)
  })

  it('with an open step that leads there unless it completes', async () => {
    const run: Run = async ({ step, payload }) => {
      if (!payload['quick']) {
        await wait(1)
        const first = (await custom(step, 'first')) as { _ctx: { state: { status: string } } }
        if (first._ctx.state.status === 'completed') return
      }
      await Promise.all((payload['ids'] as string[]).map((id) => custom(step, id)))
    }
    const ids = { type: 'array', items: { type: 'string', enum: ['T'] } }
    const bridge = withSchema(run, object({ quick: { type: 'boolean' }, ids }))
    const { body } = await ask(bridge, { payload: { quick: false, ids: ['T'] } })
    expect([body.code, body.data?.stepId]).toEqual(['ExecutionStateCorruptError', 'first'])
    expect((await ask(bridge, { payload: { quick: true, ids: ['T'] } })).body.outputs).toEqual(sent)
  })

  it('with data that was cached during discovery and must be fetched now', async () => {
    let kept = true
    const run: Run = ({ step }) =>
      Promise.all([
        custom(step, 'sibling'),
        (async () => {
          if (!kept) await wait(60)
          kept = true
          await custom(step, 'T')
        })(),
      ])
    const bridge = bridgeOf(run)
    await ask(bridge, { action: 'discover' })
    for (let call = 0; call < 2; call++) {
      kept = false
      expect((await ask(bridge, {})).body.outputs).toEqual(sent)
    }
  })

  it('with a payload that the function consumes', async () => {
    const run: Run = async ({ step, payload }) => {
      const all = (payload['items'] as { id: string }[]).splice(0)
      for (const { id } of all) await custom(step, `note-${id}`)
      if (all.length > 0) await custom(step, 'T')
    }
    const { body } = await ask(withSchema(run, items), { payload: { items: [{ id: '7' }] } })
    expect([body.code, body.data.stepId]).toEqual(['ExecutionStateCorruptError', 'note-7'])
  })

  it('with a step that failed', async () => {
    const outputSchema = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } as const
    const run: Run = async ({ step, payload }) => {
      const { _ctx } = await step.custom('a', () => ({ at: 'now' }), { outputSchema })
      for (const { id } of payload['items'] as { id: string }[]) await custom(step, `note-${id}`)
      if (_ctx.state.status === 'failed') await custom(step, 'T')
    }
    const asked = { payload: { items: [{ id: '7' }] }, state: { a: 'failed' } }
    expect((await ask(withSchema(run, items), asked)).body.code).toBe('ExecutionStateCorruptError')
    const done = { ...asked, state: { 'note-7': {}, a: { at: 'now' } } }
    expect((await ask(withSchema(run, items), done)).body.options).toEqual({ skip: true })
  })

  it('if nothing could be tried, because sample results do not work with the function', async () => {
    const run: Run = async ({ step, payload }) => {
      for (const { id } of payload['items'] as { id: string }[]) {
        const { status } = (await custom(step, `note-${id}`)) as { status: string }
        if (id === '7' && status !== 'known only to the service') throw new Error(status)
      }
      await custom(step, 'T')
    }
    const { body } = await ask(withSchema(run, items), { payload: { items: [{ id: '7' }] } })
    expect([body.code, body.data.stepId]).toEqual(['ExecutionStateCorruptError', 'note-7'])
  })

  it('if there was more to try than the limit allows', async () => {
    const seven = String(6 + 1)
    const run: Run = async ({ step, payload }) => {
      await wait(5)
      for (const { id } of payload['items'] as { id: string }[]) {
        const noteResult = (await custom(step, `note-${id}`)) as Record<string, boolean>
        if (id === seven && !(noteResult['a'] && !noteResult['b'] && noteResult['c'] && !noteResult['d'])) return
      }
      await custom(step, 'T')
    }
    const { body } = await ask(withSchema(run, items), { payload: { items: [{ id: '7' }] } })
    expect([body.code, body.data.stepId]).toEqual(['ExecutionStateCorruptError', 'note-7'])
  })

  it('if it was learned, but no tried value leads to it', async () => {
    const bridge = bridgeOf(async ({ step }) => {
      const loadResult = (await step.custom('load', () => ({}))) as Record<string, unknown>
      const plans = ['free', 'plus', 'pro', 'max', 'team']
      if (loadResult['plan'] === plans[2] && loadResult['size'] === plans[4]) await custom(step, 'T')
      await wait(2)
      await custom(step, 'last')
    })
    const state = { load: { plan: 'pro', size: 'team' } }
    expect((await ask(bridge, { payload: {}, state })).status).toBe(200)
    const { body } = await ask(bridge, { payload: {} })
    expect([body.code, body.data?.stepId]).toEqual(['ExecutionStateCorruptError', 'load'])
  })

  it('of a race, after a period without any call', async () => {
    const run: Run = async ({ step, payload }) => {
      for (const { id } of payload['items'] as { id: string }[])
        await Promise.race([wait(30), custom(step, `note-${id}`)])
      await custom(step, 'T')
    }
    expect((await ask(withSchema(run, items), { payload: { items: [{ id: '7' }] } })).body.outputs).toEqual(sent)
  })
})

describe('a condition that is false', () => {
  it('is detected even if the function throws on sample results of later steps', async () => {
    const bridge = bridgeOf(async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
      const { status } = (await custom(step, 'later')) as { status: string }
      if (payload['strict'] && status !== 'known only to the service') throw new Error(status)
    })
    const { body } = await ask(bridge, { payload: { vip: false, strict: true } })
    expect(body.options).toEqual({ skip: true })
  })

  it('is detected even if the function throws on sample results in the other branch', async () => {
    const bridge = bridgeOf(async ({ step, payload }) => {
      if (payload['vip']) return custom(step, 'T')
      const { status } = (await custom(step, 'other')) as { status: string }
      if (payload['strict'] && status !== 'known only to the service') throw new Error(status)
    })
    const { body } = await ask(bridge, { payload: { vip: false, strict: true } })
    expect(body.options).toEqual({ skip: true })
  })

  it('is confirmed by one replay with full results and one with empty results', async () => {
    let calls = 0
    const bridge = bridgeOf(async ({ step, payload }) => {
      calls++
      await wait(20)
      if (payload['vip']) await custom(step, 'T')
      await custom(step, 'later')
    })
    await ask(bridge, { payload: { vip: false } })
    calls = 0
    expect((await ask(bridge, { payload: { vip: false } })).body.options).toEqual({ skip: true })
    expect(calls).toBe(3)
  })

  it('is detected if its branch is not taken', async () => {
    const bridge = bridgeOf(({ step, payload }) => (payload['vip'] ? custom(step, 'T') : custom(step, 'other')))
    expect((await ask(bridge, { payload: { vip: false } })).body.options).toEqual({ skip: true })
  })
})

describe('a false condition next to other work', () => {
  const skipped: [string, Run, object?][] = [
    [
      'of one of several steps that start together',
      async ({ step, payload }) => {
        await wait(2)
        await Promise.all([payload['vip'] && custom(step, 'T'), custom(step, 'sibling')])
      },
    ],
    [
      'of a race in front of other work',
      async ({ step, payload }) => {
        if (payload['vip']) await Promise.race([custom(step, 'T'), custom(step, 'rival')])
        await wait(2)
        await custom(step, 'later')
      },
    ],
  ]
  it.each(skipped)('results in a skip: %s', async (_name, run, state = {}) => {
    const bridge = bridgeOf(run)
    expect((await ask(bridge, { payload: { vip: false }, state })).body.options).toEqual({ skip: true })
    expect((await ask(bridge, { payload: { vip: true }, state })).body.outputs).toEqual(sent)
  })

  const open: [string, Run, { readonly state?: object; readonly reaching?: object }?][] = [
    [
      'a race on one path, work beside it on the other',
      async ({ step, payload }) => {
        const sequence = async (): Promise<void> => {
          if (payload['vip']) await Promise.race([custom(step, 'T'), custom(step, 'rival')])
          await custom(step, 'later')
        }
        const beside = async (): Promise<void> => {
          await wait(5)
          if (!payload['vip'] && payload['late']) await custom(step, 'T')
        }
        await Promise.all([sequence(), beside()])
      },
      { reaching: { vip: false, late: true } },
    ],
    [
      'other work comes behind what waits',
      async ({ step, payload }) => {
        await custom(step, 'before')
        if (payload['vip']) await Promise.race([custom(step, 'T'), custom(step, 'rival')])
        await custom(step, 'later')
        await wait(2)
        await custom(step, 'last')
      },
      { state: { before: {} } },
    ],
  ]
  it.each(open)(
    'is left to the deadline, or skipped once a replay has seen the other work end: %s',
    async (_name, run, { state = {}, reaching = { vip: true } } = {}) => {
      const { status, body } = await ask(bridgeOf(run, 1000), { payload: { vip: false, late: false }, state })
      if (status === 200) expect(body.options).toEqual({ skip: true })
      expect([200, 504]).toContain(status)
      expect((await ask(bridgeOf(run), { payload: reaching, state })).body.outputs).toEqual(sent)
    },
  )

  const blocked: [string, Run, { readonly state?: object }?][] = [
    [
      'behind a step with a result, the other branch has work of its own',
      ({ step, payload }) =>
        Promise.all([
          custom(step, 'first').then(() => custom(step, 'sibling')),
          wait(5).then(() => payload['vip'] && custom(step, 'T')),
        ]),
      { state: { first: {} } },
    ],
    [
      'the other branch has work of its own that begins later',
      async ({ step, payload }) => {
        await wait(2)
        await Promise.all([custom(step, 'sibling'), wait(5).then(() => payload['vip'] && custom(step, 'T'))])
      },
    ],
  ]
  it.each(blocked)(
    'names the open step if it was seen before the requested one: %s',
    async (_name, run, { state = {} } = {}) => {
      const { status, body } = await ask(bridgeOf(run), { payload: { vip: false }, state })
      expect([status, body.data.stepId]).toEqual([400, 'sibling'])
      expect((await ask(bridgeOf(run), { payload: { vip: true }, state })).body.outputs).toEqual(sent)
      const done = { ...state, sibling: {} }
      expect((await ask(bridgeOf(run), { payload: { vip: false }, state: done })).body.options).toEqual({ skip: true })
    },
  )
})

describe('the verdict', () => {
  it('is an immediate skip if the waiting step comes after the requested one', async () => {
    const bridge = bridgeOf(async ({ step, payload }) => {
      if (payload['vip']) await custom(step, 'T')
      await custom(step, 'after')
    })
    const tookMs: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const startMs = performance.now()
      expect((await ask(bridge, { payload: { vip: false } })).body.options).toEqual({ skip: true })
      tookMs.push(performance.now() - startMs)
    }
    // The first call runs discovery; a busy machine may delay another one.
    expect(Math.min(...tookMs)).toBeLessThan(40)
  })

  it('needs one discovery per workflow, and only when a run is inactive', async () => {
    const run = vi.fn(async ({ step }: { step: Step }) => {
      await custom(step, 'a')
      await custom(step, 'T')
    })
    const bridge = bridgeOf(run)
    const callsOf = async (state: object): Promise<number> => {
      run.mockClear()
      await ask(bridge, { state })
      return run.mock.calls.length
    }
    expect(await callsOf({ a: {} })).toBe(1)
    const first = await callsOf({})
    const second = await callsOf({})
    expect(second).toBeLessThan(first)
    expect(await callsOf({})).toBe(second)
  })

  it('runs one discovery at a time, however many steps wait', async () => {
    let calls = 0
    const run: Run = ({ step, payload }) => {
      calls++
      const branch = async ({ id }: { id: string }, index: number): Promise<void> => {
        await wait(index * 10)
        await custom(step, `note-${id}`)
      }
      return Promise.all((payload['items'] as { id: string }[]).map(branch))
    }
    const bridge = withSchema(run, items)
    await ask(bridge, { action: 'discover' })
    calls = 0
    const asked = { payload: { items: Array.from({ length: 12 }, (_, index) => ({ id: `${index}` })) } }
    await ask(bridge, asked)
    expect(calls).toBeLessThan(8)
  })

  it('names the first of several steps that must come first', async () => {
    const bridge = bridgeOf(async ({ step }) => {
      await Promise.all([custom(step, 'a'), custom(step, 'b'), custom(step, 'c')])
      await custom(step, 'T')
    })
    expect((await ask(bridge, { state: { a: {} } })).body.data).toEqual({ workflowId: 'flow', stepId: 'b' })
  })

  it('finds the missing one among a thousand steps', async () => {
    const bridge = bridgeOf(async ({ step }) => {
      for (let index = 0; index < 1000; index++) await custom(step, `s${index}`)
      await custom(step, 'T')
    })
    const state = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${999 - index}`, {}]))
    delete state['s500']
    expect((await ask(bridge, { state })).body.data).toEqual({ workflowId: 'flow', stepId: 's500' })
  })

  it('reports a workflow that cannot be discovered only if discovery is needed', async () => {
    let calls = 0
    const bridge = bridgeOf(async ({ step }) => {
      calls++
      if (calls > 1) throw new Error('the database is down')
      await custom(step, 'a')
    })
    const { status, body } = await ask(bridge, {})
    expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
  })

  it('is independent for each of a thousand concurrent runs', async () => {
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

describe('the order of steps that the call lists', () => {
  const inOrderOf =
    (listOf: (payload: Readonly<Record<string, unknown>>) => Iterable<unknown>): Run =>
    async ({ step, payload }) => {
      for (const channel of listOf(payload)) {
        if (channel === 'email') await step.email('T', () => ({ subject: 's', body: 'b' }))
        else if (channel === 'sms') await step.sms('text', () => ({ body: 'b' }))
      }
    }
  const channels = ({ channels: given }: Readonly<Record<string, unknown>>): readonly unknown[] => given as unknown[]

  it.each([
    ['a list', inOrderOf(channels)],
    ['a set', inOrderOf((payload) => new Set(channels(payload)))],
    ['items with a field', inOrderOf((payload) => channels(payload).map((channel) => ({ channel }).channel))],
  ])('shows that the waiting step comes first: %s', async (_, run) => {
    const schema = { type: 'object', properties: { channels: { type: 'array', items: { type: 'string' } } } } as const
    const bridge = createBridge({
      workflows: [workflow('flow', run as never, { payloadSchema: schema })],
      strictAuthentication: false,
      logger: silent,
    })
    const late = await ask(bridge, { payload: { channels: ['sms', 'email'] } })
    expect([late.status, late.body.code, late.body.data]).toEqual([
      400,
      'ExecutionStateCorruptError',
      { workflowId: 'flow', stepId: 'text' },
    ])
    const without = await ask(bridge, { payload: { channels: ['sms'] } })
    expect(without.body.options).toEqual({ skip: true })
    const next = await ask(bridge, { payload: { channels: ['sms', 'email'] }, state: { text: {} } })
    expect(next.body.outputs).toEqual({ subject: 's', body: 'b' })
  })
})
