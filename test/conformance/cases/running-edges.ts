import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../call.ts'
import { event, stored } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const seen = { aborted: false, normal: undefined as AbortSignal | undefined, branch: 0 }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const results = workflow('results', async ({ step }) => {
  const digest = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
  await step.custom('tell', () => ({ digest, context: { timestamp: digest._ctx.timestamp, state: digest._ctx.state } }))
})

const signals = workflow('signals', async ({ step }) => {
  await step.custom('ends', (_controls, { signal }) => {
    seen.normal = signal
    return {}
  })
  await step.custom('hangs', async (_controls, { signal }) => {
    signal.addEventListener('abort', () => {
      seen.aborted = true
    })
    await pause(10_000)
    return {}
  })
})

const missed = workflow('missed', async ({ step, subscriber }) => {
  // No sample contains this address, so discovery never sees the step.
  if (subscriber.email === 'only-this-one@example.com') await step.custom('rare', () => ({ found: true }))
  await step.custom('usual', () => ({}))
})

const laterThrow = workflow('later-throw', async ({ step }) => {
  void step.custom('asked', async () => {
    await pause(20)
    return { decides: true }
  })
  await pause(1)
  throw new Error('after the step was reached')
})

const forked = workflow('forked', async ({ step }) => {
  void (async () => {
    await pause(5)
    seen.branch++
    await step.custom('never-reached', () => ({}))
    seen.branch += 100
  })()
  await step.custom('asked', async () => {
    await pause(30)
    return {}
  })
})

const overrides = workflow('overrides', async ({ step }) => {
  await step.email('mail', () => ({ subject: 's', body: '<p onclick="x()">b</p>' }), {
    controlSchema: z.object({ tone: z.string().default('plain') }),
    providers: {
      sendgrid: ({ controls, outputs }) => ({ subject: controls.tone, _passthrough: { body: { html: outputs.body } } }),
    },
  })
})

const branches = workflow(
  'either',
  async ({ step, payload }) => {
    if (payload.kind === 'a') await step.custom('same', () => ({ from: 'a' }))
    else await step.custom('same', () => ({ from: 'b' }))
  },
  { payloadSchema: z.object({ kind: z.enum(['a', 'b']) }) },
)

const conflicting = workflow(
  'conflicting',
  async ({ step, payload }) => {
    if (payload.kind === 'a') await step.sms('same', () => ({ body: 'a' }))
    else await step.chat('same', () => ({ body: 'b' }))
  },
  { payloadSchema: z.object({ kind: z.enum(['a', 'b']) }) },
)

/** Edge cases of running a step: protocol 5. */
export function runningEdges(mount: Mount): void {
  describe('running a step: edge cases', () => {
    const workflows = [results, signals, missed, laterThrow, forked, overrides, branches]
    const site = useSite(mount, { workflows, timeoutMs: 400 })
    const execute = (workflowId: string, stepId: string, body: object = {}): Promise<Answer> =>
      site.call({ query: { action: 'execute', workflowId, stepId }, body: { ...event, ...body } })

    test('a result has its context, which does not appear in JSON', async () => {
      const state = [{ ...stored('collect', { events: [] }), state: { status: 'completed', error: 'late' } }]
      const { json } = await execute('results', 'tell', { state })
      expect(json.outputs).toEqual({
        digest: { events: [] },
        context: { timestamp: expect.any(Number), state: { status: 'completed', error: expect.anything() } },
      })
    })

    test('the signal aborts at the deadline, and not after a normal end', async () => {
      await execute('signals', 'ends')
      const { status } = await execute('signals', 'hangs', { state: [stored('ends')] })
      expect(status).toBe(504)
      await pause(20)
      expect([seen.aborted, seen.normal?.aborted]).toEqual([true, false])
    })

    test('a step that discovery missed is run when the run reaches it', async () => {
      const { status, json } = await execute('missed', 'rare', { subscriber: { email: 'only-this-one@example.com' } })
      expect([status, json.outputs]).toEqual([200, { found: true }])
    })

    test('only the requested step determines the result once it is reached', async () => {
      const { status, json } = await execute('later-throw', 'asked')
      expect([status, json.outputs]).toEqual([200, { decides: true }])
    })

    test('code that does not await the step stops at its next step call', async () => {
      seen.branch = 0
      expect((await execute('forked', 'asked')).status).toBe(200)
      await pause(20)
      expect(seen.branch).toBe(1)
    })

    test('a provider override receives the controls and the sanitized output', async () => {
      const { json } = await execute('overrides', 'mail', { controls: { tone: 'loud' } })
      expect(json.providers).toEqual({ sendgrid: { subject: 'loud', _passthrough: { body: { html: '<p>b</p>' } } } })
    })

    test('the same id in two branches means the same step', async () => {
      for (const kind of ['a', 'b'])
        expect((await execute('either', 'same', { payload: { kind } })).json.outputs).toEqual({ from: kind })
      const { json } = await site.call({
        query: { action: 'preview', workflowId: 'either', stepId: 'same' },
        body: event,
      })
      expect(json.outputs).toHaveProperty('from')
    })
  })

  describe('one id for two kinds of step in two branches', () => {
    const site = useSite(mount, { workflows: [conflicting] })
    test('StepAlreadyExistsError at discovery, naming both calls', async () => {
      const { status, json } = await site.call({ query: { action: 'discover' } })
      expect([status, json.code]).toEqual([409, 'StepAlreadyExistsError'])
      expect(json.message).toMatch(/sms.*chat|chat.*sms/s)
    })
  })
}
