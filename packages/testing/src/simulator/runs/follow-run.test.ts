import { type Step, type WorkflowDefinition, workflow } from '@trestle/core'
import type { JsonObject, NextEvent } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { createCaller } from '../../bridge/bridge-caller.ts'
import { findManifests } from '../../bridge/find-manifest.ts'
import type { RunOptions } from '../../context/run-options.ts'
import { createTestContext } from '../../context/test-context.ts'
import { assertFailed } from '../../matchers/assert-report.ts'
import type { RunReport } from '../../report/run-report.ts'
import { runWorkflow } from '../run-workflow.ts'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

type Body = (context: { readonly step: Step; readonly payload: JsonObject }) => unknown

const logger = { warn: () => undefined, error: () => undefined }
const now = '2026-01-01T00:00:00Z'
const text = () => ({ body: 'b' })
const day = () => ({ amount: 1, unit: 'days' }) as const
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A call to the bridge: the step that it names, and its body. */
interface SeenCall {
  readonly stepId: string | undefined
  readonly event: NextEvent
}

const run = (body: Body, options: RunOptions<JsonObject> = {}): Promise<RunReport> =>
  testBridge({ workflows: [workflow('tried', body)], logger, now }).run('tried', options)

/** Runs a workflow, and watches the calls. */
async function watch(body: Body, options: RunOptions<JsonObject> = {}) {
  const { bridge, secretKey } = testBridge({ workflows: [workflow('tried', body)], logger })
  const calls: SeenCall[] = []
  let asking = 0
  let most = 0
  const call = createCaller(
    {
      ...bridge,
      handle: async (request) => {
        const { searchParams } = new URL(request.url)
        if (searchParams.get('action') !== 'execute') return bridge.handle(request)
        const { bytes } = await request.readBody(1_000_000)
        const stepId = searchParams.get('stepId') ?? undefined
        calls.push({ stepId, event: JSON.parse(new TextDecoder().decode(bytes)) as NextEvent })
        if (stepId === undefined) most = Math.max(most, ++asking)
        const reply = await bridge.handle({ ...request, readBody: () => ({ bytes, exact: true }) })
        if (stepId === undefined) asking--
        return reply
      },
    } as typeof bridge,
    { secretKey },
  )
  const manifests = await findManifests(call, 'tried', createTestContext(Date.now()))
  const report = await runWorkflow({ call, ...manifests }, { now, ...options })
  return { report, calls, asked: calls.filter(({ stepId }) => stepId === undefined), most }
}

const ids = (report: RunReport): readonly string[] => Object.keys(report.steps)
const stored = ({ state }: RunReport): readonly string[] => state.map(({ stepId }) => stepId).reverse()

/** Makes several handlers wait until all of them have started. */
function createBarrier(count: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === count) for (const open of waiting) open()
    })
}

describe('the calls', () => {
  test('sequential steps take one call each and one more, without a wait', async () => {
    const { report, calls } = await watch(async ({ step }) => {
      for (const id of ['a', 'b', 'c']) await step.custom(id, () => ({}))
    })
    expect(ids(report)).toEqual(['a', 'b', 'c'])
    expect(calls.map(({ stepId, event: { next, wait, taken, runId } }) => [stepId, next, wait, taken, runId])).toEqual(
      Array.from({ length: 4 }, () => [undefined, true, 0, [], 'transaction-1']),
    )
  })

  test('open steps are called by id in parallel, with their controls', async () => {
    const meet = createBarrier(3)
    const { report, calls, most } = await watch(
      ({ step }) =>
        Promise.all(
          ['a', 'b', 'c'].map((id) =>
            step.custom(id, async (controls) => {
              await meet()
              return { controls }
            }),
          ),
        ),
      { controls: { b: { x: 1 } } },
    )
    expect(ids(report)).toEqual(['a', 'b', 'c'])
    expect(report.steps['b']?.outputs).toEqual({ controls: { x: 1 } })
    const byId = calls.filter(({ stepId }) => stepId !== undefined)
    expect(byId.map(({ stepId }) => stepId)).toEqual(['a', 'b', 'c'])
    for (const { event } of byId)
      expect(event).toMatchObject({
        next: true,
        runId: 'transaction-1',
        taken: ['a', 'b', 'c'].map((stepId) => ({ stepId })),
      })
    expect(most).toBe(1)
  })

  test('the bridge is called after each result, even during other steps, and never twice concurrently', async () => {
    const meet = createBarrier(2)
    const branch = async (step: Step, id: string, wait: () => Promise<void>): Promise<void> => {
      await step.custom(`${id}1`, () => ({}))
      await step.custom(`${id}2`, async () => {
        await wait()
        return {}
      })
    }
    // `a2` ends when `b2` has been started.
    const { report, most, asked } = await watch(({ step }) =>
      Promise.all([branch(step, 'a', meet), branch(step, 'b', meet)]),
    )
    expect(report).toHaveCompleted()
    expect(ids(report).toSorted()).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(most).toBe(1)
    expect(asked.at(-1)?.event).toMatchObject({ taken: [], wait: 0 })
  })

  test('results are stored in the order of completion, and reports are in the order of the calls', async () => {
    const report = await run(({ step }) =>
      Promise.all([
        step.custom('slow', async () => {
          await sleep(50)
          return {}
        }),
        step.custom('fast', () => ({})),
      ]),
    )
    expect(stored(report)).toEqual(['fast', 'slow'])
    expect(ids(report)).toEqual(['slow', 'fast'])
  })

  test('the controls of the step that the bridge executes are sent', async () => {
    const report = await run(({ step }) => step.custom('a', (controls) => ({ controls })), {
      controls: { a: { x: 1 } },
    })
    expect(report.steps['a']?.outputs).toEqual({ controls: { x: 1 } })
  })
})

describe('steps', () => {
  test.each([0, 1, 2, 17, 50])('run in a loop of %i items with computed ids', async (count) => {
    const items = Array.from({ length: count }, (_, index) => `item ${index * 7}`)
    const body: Body = async ({ step, payload }) => {
      for (const item of payload['items'] as string[]) await step.sms(item, text)
    }
    expect(ids(await run(body, { payload: { items } }))).toEqual(items)
  })

  test('of a helper run after conditions on results', async () => {
    const notify = async (step: Step, id: string): Promise<void> => {
      const { n } = (await step.custom(id, () => ({ n: 7 }))) as { n: number }
      if (n > 6) await step.sms(`${id} is large`, text)
      else await step.sms(`${id} is small`, text)
    }
    const report = await run(({ step }) => notify(step, 'sum'))
    expect(ids(report)).toEqual(['sum', 'sum is large'])
    expect(report).toHaveCompleted()
  })

  test('have no report if they are unreached, and count as skipped if they are listed', async () => {
    const report = await run(async ({ step, payload }) => {
      if (payload['vip'] === true) await step.sms('thanks', text)
      await step.sms('mail', text)
    })
    expect([ids(report), stored(report), report.listed]).toEqual([['mail'], ['mail'], ['thanks', 'mail']])
    expect(report).toHaveSkipped('thanks')
    expect(report).toHaveCompleted()
    expect(() => expect(report).toHaveSkipped('thank')).toThrow('has no step "thank"')
  })

  test('are reported if they are unlisted, and complete anyway', async () => {
    const body: Body = async ({ step, payload }) => void (await step.sms(`to ${payload['id']}`, text))
    const report = await run(body, { payload: { id: 'ada' } })
    expect(report.unlisted).toEqual(['to ada'])
    expect(report).toHaveCompleted()
    const missed = await run(body, { payload: { id: 'ada' }, service: 'listed' })
    expect([missed.unlisted, missed.sent]).toEqual([['to ada'], []])
    expect(missed).not.toHaveCompleted()
  })

  test('in random branches run once each, in any order of completion', async () => {
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.integer({ min: 0, max: 4 }),
        fc.record({ all: fc.array(tie('node'), { maxLength: 3 }) }),
        fc.record({ row: fc.array(tie('node'), { maxLength: 3 }) }),
      ),
    })).node
    await fc.assert(
      fc.asyncProperty(tree, async (root) => {
        const ran: string[] = []
        const play = async (step: Step, node: unknown, id: string): Promise<void> => {
          if (typeof node === 'number') {
            await step.custom(id, async () => {
              ran.push(id)
              await sleep(node)
              return {}
            })
            return
          }
          const { all, row = [] } = node as { all?: unknown[]; row?: unknown[] }
          if (all) await Promise.all(all.map((child, index) => play(step, child, `${id}.${index}`)))
          for (const [index, child] of row.entries()) await play(step, child, `${id}.${index}`)
        }
        const expected: string[] = []
        await play({ custom: async (id: string) => void expected.push(id) } as never, root, 'r')
        const { report, most } = await watch(({ step }) => play(step, root, 'r'))
        expect(ran.toSorted()).toEqual(expected.toSorted())
        expect([report.status, ids(report).toSorted()]).toEqual(['completed', expected.toSorted()])
        expect(most).toBeLessThanOrEqual(1)
      }),
      { numRuns: draws(25, 500) },
    )
  })

  test('beyond a thousand make a run fail', async () => {
    const handler = vi.fn(() => ({}))
    const report = await run(
      async ({ step, payload }) => {
        await step.sms('first', text)
        await Promise.all(Array.from({ length: payload['count'] as number }, (_, n) => step.custom(`s${n}`, handler)))
      },
      { payload: { count: 1000 } },
    )
    expect([ids(report), handler.mock.calls]).toEqual([['first'], []])
    expect(report).toHaveFailed({
      code: 'WorkflowExecutionFailedError',
      message: 'Workflow "tried" has called more than 1000 steps in one run. Check for an endless loop.',
    })
  })
})

describe('work of the function in parallel with its steps', () => {
  const io = (ms: number, then: () => Promise<unknown>) => async (): Promise<void> => {
    await sleep(ms)
    await then()
  }

  test.each([1, 20, 120])('a step after I/O of %i ms is called immediately during a delay', async (ms) => {
    const report = await run(({ step }) => Promise.all([step.delay('d', day), io(ms, () => step.sms('text', text))()]))
    expect(report).toHaveSent('sms', {}, { at: now })
    expect(report.steps['d']).toMatchObject({ status: 'completed', waitMs: 86_400_000 })
  })

  test.each([1, 20, 120])('a step after I/O of %i ms in an unawaited branch is called', async (ms) => {
    const report = await run(async ({ step }) => {
      void io(ms, () => step.sms('late', text))()
      await step.sms('text', text)
    })
    expect(report).toHaveSent('sms', {}, { stepId: 'late' })
  })

  test('a step called while the reply is in transit is not lost', async () => {
    let onReply: () => void = () => undefined
    const replied = new Promise<void>((resolve) => {
      onReply = resolve
    })
    const late = workflow('late', async ({ step }) => {
      void replied.then(() => step.sms('text', text))
    })
    const hooks = {
      onReply: ({ action }: { action: string | undefined }) => (action === 'execute' ? onReply() : undefined),
    }
    const report = await testBridge({ workflows: [late], logger, hooks }).run(late)
    expect(ids(report)).toEqual(['text'])
  })

  test('all items after unawaited I/O are called', async () => {
    const report = await run(async ({ step }) => {
      for (const id of ['a', 'b', 'c']) void io(5, () => step.sms(id, text))()
    })
    expect(ids(report).toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('a mocked request is awaited', async () => {
    vi.stubGlobal('fetch', () => sleep(30).then(() => new Response('{}')))
    const report = await run(async ({ step }) => {
      void fetch('https://api.test').then(() => step.sms('late', text))
    })
    vi.unstubAllGlobals()
    expect(ids(report)).toEqual(['late'])
  })

  test('work without steps ends the run after one wait', async () => {
    const { report, asked } = await watch(async ({ step }) => {
      void sleep(5)
      await step.sms('text', text)
    })
    expect(report).toHaveCompleted()
    const waits = asked.map(({ event }) => event.wait)
    // On a busy machine, the work can end before a call has been made or answered.
    expect([
      [0, 50],
      [0, 0, 50],
      [0, 0],
    ]).toContainEqual(waits)
  })

  test('a wait that finds a step does not make the next one longer', async () => {
    const { report, asked } = await watch(({ step }) =>
      Promise.all([
        step.delay('d', day),
        ...[5, 25].map((ms) => io(ms, () => step.custom(`after ${ms}`, () => ({})))()),
      ]),
    )
    expect(ids(report)).toEqual(['d', 'after 5', 'after 25'])
    expect(Math.max(...asked.map(({ event }) => event.wait ?? 0))).toBe(50)
  })

  test('a step whose handler is running does not delay a call', async () => {
    const { asked } = await watch(async ({ step }) => {
      await step.custom('a', async () => {
        void sleep(100)
        await sleep(5)
        return {}
      })
    })
    expect(asked.map(({ event }) => event.wait)).toEqual([0, 0])
  })
})

describe('waits', () => {
  test('the bridge is called when a step starts to wait, and when its wait is over', async () => {
    const report = await run(({ step }) =>
      Promise.all([
        step.delay('d', day),
        (async () => {
          await step.sms('now', text)
          await step.sms('then', text)
        })(),
      ]).then(() => step.sms('later', text)),
    )
    expect(report).toHaveSentOnly(
      ['sms', {}, { stepId: 'now', at: now }],
      ['sms', {}, { stepId: 'then', at: now }],
      ['sms', {}, { stepId: 'later', at: '2026-01-02T00:00:00Z' }],
    )
    expect(stored(report)).toEqual(['now', 'then', 'd', 'later'])
  })

  test('delays of several branches end in the order of their times', async () => {
    const report = await run(({ step }) =>
      Promise.all(
        [3, 1, 2].map(async (amount) => {
          await step.delay(`d${amount}`, () => ({ amount, unit: 'hours' }))
          await step.sms(`s${amount}`, text)
        }),
      ),
    )
    expect(report.sent.map(({ stepId, startedAt }) => [stepId, startedAt.slice(11, 13)])).toEqual([
      ['s1', '01'],
      ['s2', '02'],
      ['s3', '03'],
    ])
  })

  test('an unawaited delay is canceled when the function returns, and code after it does not run', async () => {
    const report = await run(async ({ step }) => {
      const winner = await Promise.race([
        step.delay('timeout', day).then(() => 'timeout'),
        step.custom('poll', () => ({})).then(() => 'poll'),
      ])
      await step.sms(`end ${winner}`, text)
    })
    expect(ids(report)).toEqual(['timeout', 'poll', 'end poll'])
    expect(report.steps['timeout']).toMatchObject({ status: 'skipped', called: true, result: {}, waitMs: 0 })
    expect([stored(report), report.endedAt]).toEqual([['poll', 'end poll'], '2026-01-01T00:00:00.000Z'])
    expect(report).toHaveCompleted()
  })

  test('an unawaited digest still ends when the function returns, and parallel delays do not', async () => {
    const report = await run(async ({ step }) => {
      void step.delay('long', () => ({ amount: 3, unit: 'days' })).then(() => step.sms('lost', text))
      void step.digest('collect', day).then(() => step.sms('text', text))
    })
    expect(Object.values(report.steps).map(({ stepId, status }) => [stepId, status])).toEqual([
      ['long', 'skipped'],
      ['collect', 'completed'],
      ['text', 'completed'],
    ])
    expect(report.endedAt).toBe('2026-01-02T00:00:00.000Z')
  })

  test('a merged digest and a throttled run end the run, including its waiting steps', async () => {
    const merged = await run(
      ({ step }) => Promise.all([step.digest('collect', day), step.delay('d', day).then(() => step.sms('text', text))]),
      { triggers: [{ payload: {} }] },
    )
    expect(merged.steps['text']?.status).toBe('completed')
    expect(merged.others[0]).toMatchObject({ status: 'merged', sent: [], steps: { collect: { status: 'merged' } } })
    expect(merged.others[0]?.steps['text']).toBeUndefined()
    const held = await run(
      ({ step }) =>
        Promise.all([
          step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours' })),
          step.delay('d', day).then(() => step.sms('text', text)),
        ]),
      { triggers: [{ payload: {} }] },
    )
    expect(held.others[0]).toMatchObject({ status: 'completed', sent: [], steps: { d: { status: 'skipped' } } })
    const later = await run(
      ({ step }) =>
        Promise.all([
          step.delay('d', day).then(() => step.sms('text', text)),
          step
            .custom('a', () => ({}))
            .then(() => step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours' }))),
        ]),
      { triggers: [{ payload: {} }] },
    )
    expect(later.others[0]).toMatchObject({ endedAt: later.startedAt, steps: { d: { status: 'skipped' } } })
  })
})

describe('failures', () => {
  test('of a step do not stop the function, and later steps still run', async () => {
    const report = await run(async ({ step }) => {
      await Promise.all([step.custom('a', () => Promise.reject(new Error('down'))), step.sms('b', text)])
      await step.sms('c', text)
    })
    expect(report.errors).toMatchObject([
      { stepId: 'a', code: 'StepExecutionFailedError', data: { stepId: 'a', type: 'custom' } },
    ])
    expect(report).toHaveFailed('a', { message: /down/ })
    expect(report).toHaveSentOnly(['sms', {}, { stepId: 'b' }], ['sms', {}, { stepId: 'c' }])
  })

  test.each<[string, Body, object, readonly string[]]>([
    [
      'what the function throws, after its open steps have run',
      async ({ step, payload }) => {
        void step.sms('text', text)
        if (payload['go'] === true) throw new Error('boom')
      },
      { code: 'WorkflowExecutionFailedError', message: /boom/ },
      ['text'],
    ],
    [
      'what it throws in one branch, after the steps of the others have run',
      ({ step, payload }) =>
        Promise.all([
          step.sms('text', text),
          step.sms('other', text),
          payload['go'] === true && Promise.reject(new Error('boom')),
        ]),
      { code: 'WorkflowExecutionFailedError' },
      ['text', 'other'],
    ],
    [
      'two calls of one id',
      async ({ step, payload }) => {
        // The ids differ for every sample, so discovery accepts the workflow.
        await step.sms(String(payload['go']), text)
        await step.sms('true', text)
      },
      { code: 'StepAlreadyExistsError' },
      ['true'],
    ],
  ])('%s is the failure of the run', async (_what, body, failure, sent) => {
    const report = await run(body, { payload: { go: true } })
    expect(report.status).toBe('failed')
    expect(report).toHaveFailed(failure)
    expect(report.errors.map(({ stepId }) => stepId)).toEqual([undefined])
    expect(report.sent.map(({ stepId }) => stepId)).toEqual(sent)
    expect(() => expect(report).toHaveCompleted()).toThrow('the workflow failed with')
  })

  test('an error is thrown for a run that did not fail, and for an unknown name', async () => {
    const report = await run(({ step }) => step.sms('text', text))
    expect(() => expect(report).toHaveFailed()).toThrow('the run did not fail; the steps: text (sms) completed')
    expect(report).not.toHaveFailed({ code: 'StepExecutionTimeoutError' })
    expect(() => expect(report).not.toHaveFailed({ kode: 'x' } as never)).toThrow('has no field "kode"')
    expect(() => assertFailed(report)).toThrow('the run was expected to fail, but')
  })

  test('an invalid payload makes the run fail', async () => {
    const checked = workflow('checked', async ({ step }) => void (await step.sms('text', text)), {
      payloadSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const,
    })
    const report = await testBridge({ workflows: [checked], logger }).run(checked as WorkflowDefinition as never, {})
    expect(report).toHaveFailed({ code: 'WorkflowPayloadInvalidError', data: [{ path: '/id' }] })
    expect(report).not.toHaveFailed('text')
    expect(report.steps).toEqual({})
    expect(assertFailed(report, { status: 400 }).message).toContain('/id')
    expect(() => assertFailed(report, { status: 500 })).toThrow(
      'but the run is failed with WorkflowPayloadInvalidError',
    )
  })

  test('a returned step that is never reached fails', async () => {
    let count = -1
    const flaky = workflow('flaky', async ({ step }) => {
      if (count >= 0 && count++ % 3 !== 0) return
      await Promise.all([step.sms('a', text), step.sms('b', text)])
    })
    const bridge = testBridge({ workflows: [flaky], logger })
    await bridge.discover()
    count = 0
    const report = await bridge.run(flaky)
    expect(report).toHaveFailed('a', {
      message: /returned step "a" as the next step, but did not reach it/,
    })
    expect(report.sent).toEqual([])
  })
})

describe('doubles and controls of unlisted steps', () => {
  const body: Body = async ({ step, payload }) => {
    for (const id of payload['ids'] as string[]) {
      const { read } = await step.inApp(`inbox ${id}`, (controls) => ({ body: `${controls['text'] ?? 'none'}` }))
      await step.sms(`text ${id}`, text, { skip: () => read })
    }
  }
  const payload = { ids: ['a', 'b'] }

  test('are used', async () => {
    const read = { seen: true, read: true, lastSeenDate: null, lastReadDate: null }
    const doubles = { 'inbox a': read, 'inbox b': () => read }
    const report = await run(body, { payload, doubles, controls: { 'inbox b': { text: 'hello' } } })
    expect(report).toHaveSentOnly('inApp', ['inApp', { body: 'hello' }])
  })

  test.each([
    ['a value', { 'inbox a': { raed: true } }],
    ['a function', { 'inbox b': () => ({ raed: true }) }],
  ])('%s must be a valid result of the step', async (_what, doubles) => {
    await expect(run(body, { payload, doubles: doubles as never })).rejects.toThrow('/raed unknown key')
  })

  test.each(['doubles', 'controls'])('rejects %s of a step that is neither listed nor reached', async (name) => {
    const given = { payload, [name]: { 'inbox c': {} } }
    await expect(run(body, given as never)).rejects.toThrow(`The option ${name} names "inbox c"`)
  })
})
