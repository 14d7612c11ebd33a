import { randomUUID } from 'node:crypto'
import dns from 'node:dns'
import { connect } from 'node:net'
import { type Step, workflow } from '@trestle/core'
import { describe, expect, test, vi } from 'vitest'
import { testBridge } from '../test-bridge.ts'
import { NotRepeatableError, RepeatedRequestError } from './check-determinism.ts'

type Body = (context: { readonly step: Step; readonly payload: Readonly<Record<string, unknown>> }) => Promise<unknown>
const quiet = { warn: () => undefined, error: () => undefined }
const play = (body: Body, doubles = {}): Promise<unknown> => {
  const tried = workflow('tried', body)
  return testBridge({ workflows: [tried], logger: quiet, replay: 'every-step' }).run(tried, { doubles })
}
let count = 0

const notRepeatable: readonly (readonly [string, string | RegExp, string | RegExp, Body])[] = [
  [
    'chance between steps',
    'mail',
    '/outputs/subject',
    async ({ step }) => {
      await step.custom('first', () => ({}))
      const draw = Math.random()
      await step.email('mail', () => ({ subject: `${draw}`, body: 'b' }))
    },
  ],
  [
    'a coin that decides about a step',
    // Discovery also runs the random choice, and may have seen only one outcome.
    /heads|tails/,
    /skip|calls/,
    async ({ step }) => {
      await step.custom('first', () => ({}))
      if (Math.random() < 0.5) await step.custom('heads', () => ({}))
      else await step.custom('tails', () => ({}))
      await step.custom('second', () => ({}))
    },
  ],
  [
    'what only the smallest draw decides',
    'text',
    '/calls/0/stepId',
    async ({ step }) => {
      if (Math.random() < 1e-9) await step.push('rare', () => ({ subject: 's', body: 'b' }))
      await step.sms('text', () => ({ body: 'b' }))
    },
  ],
  [
    'what only the largest draw decides',
    'text',
    '/calls/0/stepId',
    async ({ step }) => {
      if (Math.random() > 1 - 1e-9) await step.push('rare', () => ({ subject: 's', body: 'b' }))
      await step.sms('text', () => ({ body: 'b' }))
    },
  ],
  [
    'the clock',
    'mail',
    '/outputs/subject',
    async ({ step }) => {
      const today = new Date().toISOString()
      await step.email('mail', () => ({ subject: today, body: 'b' }))
    },
  ],
  [
    'Date.now()',
    'wait',
    '/outputs/amount',
    async ({ step }) => {
      const now = Date.now()
      await step.delay('wait', () => ({ amount: now, unit: 'seconds' }))
    },
  ],
  [
    'a counter outside',
    'text',
    '/outputs/body',
    async ({ step }) => {
      const number = ++count
      await step.sms('text', () => ({ body: `${number}` }))
    },
  ],
  [
    'an id of node:crypto',
    'text',
    '/outputs/body',
    async ({ step }) => {
      const id = randomUUID()
      await step.sms('text', () => ({ body: id }))
    },
  ],
  [
    'chance in the handler of a message',
    'text',
    '/outputs/body',
    async ({ step }) => {
      await step.sms('text', () => ({ body: randomUUID() }))
    },
  ],
]

test.each(notRepeatable)('detects %s, at step "%s", in %s', async (_what, stepId, path, body) => {
  const error = (await play(body).catch((thrown: unknown) => thrown)) as NotRepeatableError
  expect(error).toBeInstanceOf(NotRepeatableError)
  expect(error.workflowId).toBe('tried')
  expect(error.stepId).toMatch(stepId)
  expect(error.difference.path).toMatch(path)
  expect(error.message).toContain(
    `"tried" is not deterministic: at step "${error.stepId}", ${error.difference.path} was `,
  )
})

test('the message shows both values, the first one first', async () => {
  const bodies: string[] = []
  let calls = 0
  const run = play(async ({ step }) => {
    const number = ++calls
    await step.sms('text', () => {
      bodies.push(`number ${number}`)
      return { body: `number ${number}` }
    })
  })
  const error = (await run.catch((thrown: unknown) => thrown)) as NotRepeatableError
  // Only the calls of the step run its handler: the first one, and the one that differs.
  const [first, second] = bodies.slice(-2)
  expect(first).not.toBe(second)
  expect(error.difference).toEqual({ path: '/outputs/body', first, second })
  expect(error.message).toContain(`/outputs/body was "${first}" and became "${second}" when the run was replayed`)
})

describe('detects requests of the function outside all handlers', () => {
  const reach: readonly (readonly [string, () => unknown, string])[] = [
    ['fetch, caught', () => fetch('https://api.test/prices').catch(() => undefined), 'https://api.test/prices'],
    ['a look-up', () => dns.promises.lookup('db.test').catch(() => undefined), 'dns://db.test'],
    ['a socket of loopback', () => connect(1, '127.0.0.1').on('error', () => undefined), 'tcp://127.0.0.1:1'],
  ]
  test.each(reach)('%s', async (_what, ask, url) => {
    const error = (await play(async ({ step }) => {
      await ask()
      await step.sms('text', () => ({ body: 'b' }))
    }).catch((thrown: unknown) => thrown)) as RepeatedRequestError
    expect(error).toBeInstanceOf(RepeatedRequestError)
    expect(error).toMatchObject({ workflowId: 'tried', stepId: 'text', requests: [url] })
    expect(error.message).toContain(`Workflow "tried" requests ${url} outside all handlers; seen at step "text".`)
  })

  test('between two steps', async () => {
    const error = await play(async ({ step }) => {
      await step.custom('first', () => ({}))
      await fetch('https://api.test').catch(() => undefined)
      await step.sms('text', () => ({ body: 'b' }))
    }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'RepeatedRequestError', stepId: 'text' })
  })

  test('even if the test has replaced fetch', async () => {
    const own = vi.fn(async () => new Response('{}'))
    vi.stubGlobal('fetch', own)
    const inBody = play(async ({ step }) => {
      await fetch('https://api.test')
      await step.sms('text', () => ({ body: 'b' }))
    })
    await expect(inBody).rejects.toMatchObject({ name: 'RepeatedRequestError', requests: ['https://api.test'] })
    const inHandler = play(async ({ step }) => {
      await step.custom('ask', async () => ({ ok: (await fetch('https://api.test')).ok }))
    })
    await expect(inHandler).resolves.toMatchObject({ status: 'completed' })
    vi.unstubAllGlobals()
  })
})

test('allows random values, the clock and side effects in a custom step’s handler, which runs once', async () => {
  const effect = vi.fn(() => ({ id: randomUUID(), at: Date.now(), draw: Math.random() }))
  const run = play(async ({ step }) => {
    const { id, at, draw } = (await step.custom('make', effect)) as Record<string, unknown>
    await step.email('mail', () => ({ subject: `${id} ${at} ${draw}`, body: new Date().toISOString() }))
    await step.sms('text', ({ today }) => ({ body: String(today) }), {
      controlSchema: {
        type: 'object',
        properties: { today: { type: 'string', default: '{{ "now" | date: "%Y" }}' } },
      },
    })
  })
  await expect(run).resolves.toMatchObject({ status: 'completed' })
  expect(effect).toHaveBeenCalledOnce()
})

test('doubles are called once', async () => {
  const make = vi.fn(() => ({ id: randomUUID() }))
  const inbox = vi.fn(() => ({ seen: true, read: true, lastSeenDate: null, lastReadDate: null }))
  await play(
    async ({ step }) => {
      await step.custom('make', () => ({}))
      await step.inApp('inbox', () => ({ body: 'b' }))
    },
    { make, inbox },
  )
  expect([make.mock.calls.length, inbox.mock.calls.length]).toEqual([1, 1])
})

test('accepts steps that fail the same way, are skipped, or run in parallel', async () => {
  const run = await play(async ({ step, payload }) => {
    await Promise.all([
      step.push('left', () => ({ subject: 's', body: 'b' })),
      step.chat('right', () => {
        throw new Error('always')
      }),
    ])
    if ((payload as { never?: boolean }).never) await step.sms('never', () => ({ body: 'b' }))
    await step.email('mail', () => ({ subject: 's', body: 'b' }), { skip: () => true })
  })
  expect(run).toMatchObject({ status: 'failed', errors: [{ stepId: 'right' }] })
})

test('allows the handler of a custom step to fail differently', async () => {
  const run = await play(async ({ step }) => {
    await step.custom('flaky', () => {
      throw new Error(randomUUID())
    })
    await step.sms('text', () => ({ body: 'b' }))
  })
  expect(run).toMatchObject({ status: 'failed', errors: [{ stepId: 'flaky' }] })
})

test('runs no handler twice without replay', async () => {
  const text = vi.fn(() => ({ body: randomUUID() }))
  const tried = workflow('tried', async ({ step }) => {
    await step.sms('text', text)
  })
  await testBridge({ workflows: [tried] }).run(tried)
  expect(text).toHaveBeenCalledOnce()
  await expect(testBridge({ workflows: [tried] }).run(tried, { replay: 'every-step' })).rejects.toThrow('/outputs/body')
})
