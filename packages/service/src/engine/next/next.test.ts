import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { createGate, createLedEngine } from './led-runs.fixture.ts'

const hourMs = 3_600_000
const hour = () => ({ amount: 1, unit: 'hours' })
const message = () => ({ body: 'b' })
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(bothDrivers)('a run whose bridge decides the next step, on %s', (driver) => {
  test('creates a job when a step is named, and calls no step whose condition is false', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const program: Program = async ({ step, payload }) => {
      const { n } = await step('ask', 'custom', () => ({ n: 2 }))
      if (payload['urgent']) await step('call', 'sms', message)
      for (let index = 0; index < Number(n); index++) await step(`mail-${index}`, 'email', message)
    }
    const run = await testEngine.play(program)
    expect([run.status, run.steps]).toEqual(['completed', 'ask:completed mail-0:completed mail-1:completed'])
    // An observer recognizes the end of a run by the last entry.
    expect(run.lines.at(-1)).toBe('Run ended')
    expect(testEngine.bridge.ran).toEqual(['ask', 'mail-0', 'mail-1'])
    expect(testEngine.bridge.calls.map(({ stepId }) => stepId)).toEqual([undefined, undefined, undefined, undefined])
    expect((await testEngine.play(program, { urgent: true })).steps).toContain('call:completed')
    const sent = await testEngine.store.db.selectFrom('messages').select('channel').execute()
    expect(sent).toHaveLength(5)
  })

  test('receives changes that the previous step made to the recipient', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const run = await testEngine.play(async ({ step }) => {
      await step('ask', 'custom', async () => {
        await testEngine.store.db.updateTable('subscribers').set({ email: 'anna@example.com' }).execute()
        return {}
      })
      await step('mail', 'email', message)
    })
    expect(run.steps).toBe('ask:completed mail:completed')
    const emails = testEngine.bridge.calls.map(({ event }) => event.subscriber?.email)
    expect(emails).toEqual([null, 'anna@example.com', 'anna@example.com'])
  })

  test('calls steps that start in parallel by id, in parallel', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const both = [createGate(), createGate()] as const
    const waitForOther = (own: 0 | 1) => async () => {
      both[own].open()
      await both[1 - own]?.opened
      return message()
    }
    const run = await testEngine.play(async ({ step }) => {
      await Promise.all([step('left', 'sms', waitForOther(0)), step('right', 'email', waitForOther(1))])
      await step('chat', 'chat', message)
    })
    expect([run.status, run.steps]).toEqual(['completed', 'left:completed right:completed chat:completed'])
    const byId = testEngine.bridge.calls.filter(({ stepId }) => stepId !== undefined)
    expect(byId.map(({ stepId }) => stepId).toSorted()).toEqual(['left', 'right'])
    for (const { stepId, event } of byId)
      expect(event).toMatchObject({
        next: true,
        runId: run.id,
        jobId: expect.any(String),
        taken: [{ stepId: stepId === 'left' ? 'right' : 'left' }],
      })
    expect(testEngine.bridge.calls[0]?.event).toMatchObject({ runId: run.id, taken: [], state: [], stepControls: {} })
  })

  test('does not run a step in the call while another one is dispatched', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const slow = createGate()
    const run = await testEngine.play(async ({ step }) => {
      const chain = async (name: string, second: () => Promise<void> | void) => {
        await step(`${name}1`, 'custom')
        await step(`${name}2`, 'custom', async () => {
          await second()
          return {}
        })
      }
      // The second step of one chain ends while the second step of the other chain runs.
      await Promise.all([chain('a', () => slow.opened), chain('b', slow.open)])
    })
    expect([run.status, testEngine.bridge.ran.length]).toEqual(['completed', 4])
  })

  test('is called again if a result was stored during the call', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const [last, end] = [createGate(), createGate()]
    const statusOf = async (stepId: string) =>
      (await testEngine.store.db.selectFrom('jobs').select('status').where('stepId', '=', stepId).executeTakeFirst())
        ?.status
    let isHeld = false
    testEngine.bridge.onCall = async ({ stepId, event }) => {
      if (stepId === 'right') await end.opened
      if (stepId !== undefined || event.state?.length !== 1 || isHeld) return
      isHeld = true
      // The response does not include the end of "right".
      end.open()
      while ((await statusOf('right')) !== 'completed') await later(1)
    }
    const run = await testEngine.play(async ({ step }) => {
      const right = async () => {
        await step('right', 'custom')
        await step('after', 'custom', () => {
          last.open()
          return {}
        })
      }
      const slow = async () => {
        await last.opened
        return {}
      }
      await Promise.all([step('left', 'custom'), right(), step('slow', 'custom', slow)])
    })
    expect([run.status, isHeld]).toEqual(['completed', true])
  })

  test('is called again if a wait ended during the call', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let asks = 0
    testEngine.bridge.onCall = async () => {
      // Act on the second call: by then the delay has started.
      if (++asks !== 2) return
      testEngine.clock.advance(2 * hourMs)
      await testEngine.engine.sweep()
    }
    const run = await testEngine.play(async ({ step }) => {
      await step('wait', 'delay', hour)
      await step('mail', 'email', message)
    })
    expect([run.status, run.steps]).toEqual(['completed', 'wait:completed mail:completed'])
  })

  test('is called again if a step started to wait during the call', async (context) => {
    const testEngine = await createLedEngine(driver, context, { engine: { quietMs: 30 } })
    const sleeps = createGate()
    const isDelayed = () =>
      testEngine.store.db.selectFrom('jobs').select('id').where('status', '=', 'delayed').executeTakeFirst()
    let isHeld = false
    testEngine.bridge.onCall = async ({ stepId, event }) => {
      if (stepId === 'wait') await sleeps.opened
      if (stepId !== undefined || event.wait !== 0 || isHeld) return
      isHeld = true
      sleeps.open()
      while (!(await isDelayed())) await later(1)
    }
    const run = await testEngine.play(async ({ step }) => {
      const late = async () => {
        await later(12)
        await step('now', 'email', message)
      }
      await Promise.all([step('left', 'custom'), step('wait', 'delay', hour), late()])
    })
    expect([isHeld, run.steps]).toEqual([true, 'left:completed wait:delayed now:completed'])
  })

  test('never has two concurrent calls', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let active = 0
    let most = 0
    testEngine.bridge.onCall = async ({ stepId }) => {
      if (stepId !== undefined) return
      most = Math.max(most, ++active)
      await later(10)
      active--
    }
    const run = await testEngine.play(async ({ step }) => {
      const names = Array.from({ length: 6 }, (_, index) => `s${index}`)
      await Promise.all(names.map((name) => step(name, 'custom')))
    })
    expect([run.status, most]).toEqual(['completed', 1])
  })

  test('stores nothing from a call that another process has repeated', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const [asked, answer] = [createGate(), createGate()]
    let calls = 0
    testEngine.bridge.onCall = async () => {
      if (calls++ > 0) return
      asked.open()
      await answer.opened
    }
    const transactionId = await testEngine.begin(await testEngine.add(({ step }) => step('only', 'email', message)))
    await asked.opened
    const { id } = await testEngine.runOf(transactionId)
    // Simulates a process that takes over the work of this one.
    await testEngine.engine.handle({ kind: 'next', id, lane: 'e/l', attempts: 2, complete: async () => undefined })
    answer.open()
    await testEngine.drain()
    const run = await testEngine.runOf(transactionId)
    expect([run.status, run.steps]).toEqual(['completed', 'only:completed'])
    expect(await testEngine.store.db.selectFrom('messages').select('id').execute()).toHaveLength(1)
  })

  test('waits for inactivity only while no step is being called', async (context) => {
    // Long enough for a busy machine: the first call must end before the function reaches the second step.
    const [quietMs, lateMs] = [400, 150]
    const testEngine = await createLedEngine(driver, context, { engine: { quietMs } })
    const run = await testEngine.play(async ({ step }) => {
      const late = async () => {
        await later(lateMs)
        await step('now', 'email', message)
      }
      await Promise.all([step('wait', 'delay', hour), late()])
    })
    expect(run.steps).toBe('wait:delayed now:completed')
    const waits = testEngine.bridge.calls.map(({ stepId, event }) => (stepId === undefined ? event.wait : 'by id'))
    expect(waits).toEqual([quietMs, quietMs, 'by id', quietMs])
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    expect((await testEngine.runOf(run.transactionId)).status).toBe('completed')
    const slow = createGate()
    testEngine.bridge.calls.length = 0
    testEngine.bridge.onCall = ({ event }) => {
      if (event.wait === 0) slow.open()
    }
    await testEngine.play(async ({ step }) => {
      const hold = async () => {
        await slow.opened
        return {}
      }
      await Promise.all([step('fast', 'custom'), step('slow', 'custom', hold)])
    })
    const asked = testEngine.bridge.calls.filter(({ stepId }) => stepId === undefined)
    expect(asked.map(({ event }) => event.wait)).toEqual([quietMs, 0, quietMs])
  })

  test('ends with the function: unawaited delays are skipped, and other steps end first', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const run = await testEngine.play(async ({ step }) => {
      await Promise.race([step('timeout', 'delay', hour), step('poll', 'custom')])
    })
    expect([run.status, run.steps]).toEqual(['completed', 'timeout:skipped poll:completed'])
    expect(run.lines).toContain('Delay was skipped: the run ended without it')
    const open = await testEngine.play(async ({ step }) => {
      void step('wait', 'delay', hour)
      void step('collect', 'digest', hour)
    })
    expect([open.status, open.steps]).toEqual(['running', 'wait:delayed collect:delayed'])
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    expect((await testEngine.runOf(open.transactionId)).status).toBe('completed')
  })

  test('runs unawaited steps, even one after another', async (context) => {
    const testEngine = await createLedEngine(driver, context, { engine: { quietMs: 20 } })
    const run = await testEngine.play(({ step }) => {
      void (async () => {
        await later(3)
        await step('first', 'custom')
        await step('second', 'email', message)
      })()
      void step('beside', 'email', message)
    })
    expect([run.status, run.steps]).toEqual(['completed', 'beside:completed first:completed second:completed'])
  })

  test('continues after a failed step, and fails at the end', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const fails = () => {
      throw new Error('broken')
    }
    const alone = await testEngine.play(async ({ step }) => {
      await step('bad', 'custom', fails)
      await step('mail', 'email', message)
    })
    expect([alone.status, alone.steps]).toEqual(['failed', 'bad:failed mail:completed'])
    const parallel = await testEngine.play(async ({ step }) => {
      await Promise.all([step('bad', 'custom', fails), step('good', 'custom')])
      await step('mail', 'email', message)
    })
    expect([parallel.status, parallel.steps]).toEqual(['failed', 'bad:failed good:completed mail:completed'])
    const skipped = await testEngine.play(({ step }) => step('none', 'email', () => undefined))
    expect([skipped.status, skipped.steps]).toEqual(['completed', 'none:skipped'])
  })

  test('fails with the error of its function, after its open steps', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const run = await testEngine.play(({ step }) => {
      void step('mail', 'email', message)
      throw new Error('boom')
    })
    expect([run.status, run.steps]).toEqual(['failed', 'mail:completed'])
    expect(run.ownLines).toEqual([
      { detail: 'Run failed: the bridge could not decide the next step', raw: expect.stringContaining('boom') },
    ])
  })

  test('stores no result for a step that was not reached, and dispatches it again', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let misses = 1
    testEngine.bridge.onCall = ({ stepId }) => {
      if (stepId !== 'left' || misses-- <= 0) return undefined
      const metadata = { status: 'success', error: false, duration: 0, reached: false }
      return { reply: { outputs: {}, providers: {}, options: { skip: true }, metadata } }
    }
    const states: (readonly string[])[] = []
    const run = await testEngine.play(async ({ step }) => {
      await Promise.all([step('left', 'email', message), step('right', 'custom')])
    })
    for (const { event } of testEngine.bridge.calls)
      states.push((event.state ?? []).map(({ stepId }) => stepId).toSorted())
    expect([run.status, run.steps]).toEqual(['completed', 'left:completed right:completed'])
    expect(run.lines.filter((line) => line.startsWith('Step was not reached'))).toHaveLength(1)
    expect(states.at(-1)).toEqual(['left', 'right'])
    const lastOfLeft = testEngine.bridge.calls.findLastIndex(({ stepId }) => stepId === 'left')
    expect(lastOfLeft).toBeGreaterThan(0)
    expect(states.slice(0, lastOfLeft + 1).flat()).not.toContain('left')
  })

  test('fails a step that is repeatedly named and never reached', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    testEngine.bridge.onCall = ({ stepId }) => {
      if (stepId === undefined) return { reply: { open: [{ stepId: 'ghost', type: 'email' }], metadata: {} } }
      return { reply: { outputs: {}, providers: {}, options: { skip: true }, metadata: { reached: false } } }
    }
    const run = await testEngine.play(() => undefined)
    expect([run.status, run.steps]).toEqual(['failed', 'ghost:failed'])
    const asked = testEngine.bridge.calls.filter(({ stepId }) => stepId === 'ghost')
    expect(asked).toHaveLength(5)
  })

  test('skips a dispatched step that the run ends without', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    testEngine.bridge.onCall = ({ stepId, event }) => {
      if (stepId !== undefined)
        return { reply: { outputs: {}, providers: {}, options: { skip: true }, metadata: { reached: false } } }
      return event.wait === undefined || testEngine.bridge.calls.length > 1
        ? undefined
        : { reply: { open: [{ stepId: 'ghost', type: 'email' }], metadata: {} } }
    }
    const run = await testEngine.play(() => undefined)
    expect([run.status, run.steps]).toEqual(['completed', 'ghost:skipped'])
    expect(run.lines.slice(-2)).toEqual(['Step was skipped: the run ended without reaching it', 'Run ended'])
  })

  test.each([
    ['a list of open steps that are over', { open: [{ stepId: 'done', type: 'custom' }] }, 'it waits for steps'],
    ['nothing open', { open: [] }, 'it waits for steps'],
    ['a step that has a result', { step: { stepId: 'done', type: 'custom' }, outputs: {} }, 'could not decide'],
    ['an id that cannot be stored', { open: [{ stepId: '..', type: 'custom' }] }, 'could not decide'],
  ])('fails if the bridge responds with %s', async (_what, reply, why) => {
    const context = { onTestFinished: (end: () => unknown) => ends.push(end), skip: () => undefined }
    const ends: (() => unknown)[] = []
    const testEngine = await createLedEngine(driver, context as never)
    testEngine.bridge.onCall = ({ event }) =>
      event.state?.length === 0
        ? undefined
        : { reply: { providers: {}, options: { skip: false }, metadata: {}, ...reply } }
    const run = await testEngine.play(({ step }) => step('done', 'custom'))
    expect([run.status, run.steps]).toEqual(['failed', 'done:completed'])
    expect(run.ownLines.map(({ detail }) => detail)).toEqual([expect.stringContaining(why)])
    for (const end of ends.reverse()) await end()
  })

  test('has a limited number of steps', async (context) => {
    const testEngine = await createLedEngine(driver, context, { engine: { maxSteps: 4 } })
    const endless = await testEngine.play(async ({ step }) => {
      for (let n = 0; ; n++) await step(`s${n}`, 'custom')
    })
    expect([endless.status, endless.steps.split(' ')]).toEqual(['failed', expect.objectContaining({ length: 4 })])
    expect(endless.ownLines).toEqual([
      { detail: 'Run failed: it has too many steps', raw: expect.stringContaining('more than 4 steps') },
    ])
    const wide = await testEngine.play(async ({ step }) => {
      await Promise.all(Array.from({ length: 5 }, (_, n) => step(`s${n}`, 'custom')))
    })
    expect([wide.status, wide.steps]).toEqual(['failed', ''])
  })

  test('fails only the step that ends or blocks its process', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const lost = { failure: { code: 'ECONNRESET', status: 400, message: 'reset', data: null } }
    testEngine.bridge.onCall = ({ stepId, event }) => {
      if (stepId === 'killer') return lost
      const isRunning = stepId === undefined && event.state?.length === 1 && event.taken?.length === 0
      return isRunning ? lost : undefined
    }
    const run = await testEngine.play(async ({ step }) => {
      await step('first', 'custom')
      await step('killer', 'custom')
      await step('mail', 'email', message)
    })
    expect([run.status, run.steps]).toEqual(['failed', 'first:completed killer:failed mail:completed'])
    expect(testEngine.bridge.ran).toEqual(['first', 'mail'])
  })

  test('fails with the error of its function, even if its bridge was down for one call', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let away = 1
    testEngine.bridge.onCall = () =>
      away-- > 0 ? { failure: { code: 'ECONNRESET', status: 400, message: 'reset', data: null } } : undefined
    const run = await testEngine.play(() => {
      throw new Error('boom')
    })
    expect([run.status, run.steps, testEngine.bridge.calls.length]).toEqual(['failed', '', 3])
    expect(run.ownLines.at(-1)?.raw).toContain('boom')
    away = 1
    const repaired = await testEngine.play(({ step }) => step('mail', 'email', message))
    expect([repaired.status, repaired.steps]).toEqual(['completed', 'mail:completed'])
  })

  test('fails if its bridge is down, with the attempts in its history', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    testEngine.bridge.onCall = () => ({
      failure: { code: 'ECONNREFUSED', status: 400, message: 'refused', data: null },
    })
    const run = await testEngine.play(({ step }) => step('mail', 'email', message))
    // The bridge client has already retried the call.
    expect([run.status, run.steps, testEngine.bridge.calls.length]).toEqual(['failed', '', 1])
    expect(run.ownLines.map(({ detail }) => detail)).toEqual(['Run failed: the bridge could not decide the next step'])
  })

  test('is called again without running a step if an attempt may have run one', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const attemptsOf: readonly (readonly [codes: readonly string[], calls: number])[] = [
      [['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ECONNREFUSED'], 1],
      [['TunnelNotFound', 'BridgeEndpointUnavailable', 'ETIMEDOUT', 'EAI_AGAIN'], 1],
      [['ECONNRESET', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'], 2],
      [['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', 'BridgeRequestTimeout'], 2],
      [['EPIPE', 'EPIPE', 'EPIPE', 'EPIPE'], 2],
      [['BridgeEndpointNotFound', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'], 2],
      [['StepExecutionTimeoutError', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'], 2],
    ]
    for (const [codes, count] of attemptsOf) {
      const attempts = codes.map((code, index) => ({ attempt: index + 1, code, status: 400, waitMs: null }))
      testEngine.bridge.onCall = () => ({
        failure: { code: codes.at(-1), status: 400, message: 'away', data: null },
        record: { url: 'program', request: {}, reply: {}, status: 400, durationMs: 0, attempts },
      })
      const before = testEngine.bridge.calls.length
      const run = await testEngine.play(({ step }) => step('mail', 'email', message))
      expect([codes, run.status, testEngine.bridge.calls.length - before]).toEqual([codes, 'failed', count])
    }
  })

  test('sends the messages of a step that ran during the call through their provider', async (context) => {
    const sent: string[] = []
    const channels = {
      isSent: () => true,
      send: async (id: string) => {
        sent.push(id)
        return { patch: { status: 'sent' as const }, notes: [] }
      },
    }
    const testEngine = await createLedEngine(driver, context, { channels })
    const run = await testEngine.play(async ({ step }) => {
      await step('mail', 'email', message)
      await Promise.all([step('text', 'sms', message), step('chat', 'chat', message)])
    })
    expect([run.status, run.steps]).toEqual(['completed', 'mail:completed text:completed chat:completed'])
    expect(new Set(sent).size).toBe(3)
    expect(sent).toHaveLength(3)
  })

  test('adds missing steps to the workflow’s list', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const program: Program = async ({ step }) => {
      await step('listed', 'email', message)
      await step('inline', 'custom')
      await Promise.all([step('left', 'sms', message), step('right', 'push', message)])
    }
    const name = await testEngine.add(program, [{ stepId: 'listed', type: 'email' }])
    const describes = () => testEngine.bridge.calls.flatMap(({ event }) => event.describe ?? [])
    const run = async () => {
      testEngine.bridge.calls.length = 0
      const transactionId = await testEngine.begin(name)
      await testEngine.drain()
      expect((await testEngine.runOf(transactionId)).status).toBe('completed')
    }
    await run()
    expect(new Set(describes())).toEqual(new Set(['inline', 'left', 'right']))
    const { steps } = await testEngine.store.db.selectFrom('workflows').select('steps').executeTakeFirstOrThrow()
    const stored = JSON.parse(steps) as readonly { readonly stepId: string; readonly controlSchema: object }[]
    expect(stored.map(({ stepId }) => stepId).toSorted()).toEqual(['inline', 'left', 'listed', 'right'])
    expect(stored.find(({ stepId }) => stepId === 'left')?.controlSchema).toEqual({ title: 'left' })
    await run()
    expect(describes()).toEqual([])
    const { channels } = await testEngine.store.db.selectFrom('runs').select('channels').executeTakeFirstOrThrow()
    expect(JSON.parse(channels).toSorted()).toEqual(['custom', 'email', 'push', 'sms'])
  })

  test('stores no manifest that is invalid or was not requested', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const steps = [{ stepId: 'a', type: 'fax' }, { stepId: 'other', type: 'email' }, null, 'a']
    testEngine.bridge.onCall = ({ event }) =>
      event.describe ? { reply: { done: true, metadata: { status: 'success', steps } } } : undefined
    const run = await testEngine.play(({ step }) => step('a', 'custom'))
    expect([run.status, run.steps]).toEqual(['completed', 'a:completed'])
    const { steps: kept } = await testEngine.store.db.selectFrom('workflows').select('steps').executeTakeFirstOrThrow()
    expect(JSON.parse(kept)).toEqual([])
  })

  test('fails only the step whose result cannot be stored', async (context) => {
    const faults: unknown[] = []
    const testEngine = await createLedEngine(driver, context, { faults })
    testEngine.bridge.onCall = ({ event }) => {
      if (event.state?.length !== 0) return undefined
      const reply = { step: { stepId: 'bad', type: 'custom' }, outputs: {}, providers: {}, options: {}, metadata: {} }
      return { reply, record: { url: 'u\0', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] } }
    }
    const run = await testEngine.play(async ({ step }) => {
      await step('bad', 'custom')
      await step('mail', 'email', message)
    })
    expect([run.status, run.steps]).toEqual(['failed', 'bad:failed mail:completed'])
    expect(run.lines).toContain('Step failed in the service')
    expect(faults).toHaveLength(1)
  })

  test('fails if the requested step cannot be stored', async (context) => {
    const faults: unknown[] = []
    const testEngine = await createLedEngine(driver, context, { faults })
    testEngine.bridge.onCall = () => {
      const record = { url: 'u\0', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }
      return { reply: { done: true, metadata: {} }, record }
    }
    const run = await testEngine.play(() => undefined)
    expect([run.status, run.ownLines.map(({ detail }) => detail)]).toEqual(['failed', ['Run failed in the service']])
  })
})
