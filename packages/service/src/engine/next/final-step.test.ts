import { describe, expect, test, vi } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { createLedEngine, type LedEngine, type LedOptions } from './led-runs.fixture.ts'

const message = () => ({ body: 'b' })
const mail: Program = ({ step }) => step('mail', 'email', message)
const listed = [{ stepId: 'mail', type: 'email' }] as const

describe.each(bothDrivers)('a run whose bridge reports the final step, on %s', (driver) => {
  const start = async (context: Parameters<typeof createLedEngine>[1], options?: LedOptions): Promise<LedEngine> => {
    const led = await createLedEngine(driver, context, options)
    led.bridge.reportsFinal = true
    return led
  }
  const play = async (led: LedEngine, program: Program, steps: Parameters<LedEngine['add']>[1] = listed) => {
    const transactionId = await led.begin(await led.add(program, steps))
    await led.drain()
    return led.runOf(transactionId)
  }

  test('ends without another call', async (context) => {
    const led = await start(context)
    const run = await play(led, mail)
    expect([run.status, run.steps, run.lines.at(-1)]).toEqual(['completed', 'mail:completed', 'Run ended'])
    expect(led.bridge.calls).toHaveLength(1)
  })

  test('ends once the messages of the step are sent', async (context) => {
    const statuses: string[] = []
    const led = await start(context, {
      channels: {
        isSent: () => true,
        async send() {
          statuses.push((await led.store.db.selectFrom('runs').select('status').executeTakeFirstOrThrow()).status)
          return { patch: { status: 'sent' }, notes: [] }
        },
      },
    })
    const run = await play(led, mail)
    expect([run.status, run.steps, statuses]).toEqual(['completed', 'mail:completed', ['running']])
    expect(led.bridge.calls).toHaveLength(1)
  })

  test('calls the bridge again if a message was postponed', async (context) => {
    let attempts = 0
    const led = await start(context, {
      channels: {
        isSent: () => true,
        async send() {
          const retryAt = led.clock.now() + 50
          return { patch: attempts++ === 0 ? { status: 'pending', retryAt } : { status: 'sent' }, notes: [] }
        },
      },
    })
    const transactionId = await led.begin(await led.add(mail, listed))
    await vi.waitFor(() => expect(led.bridge.calls.length).toBeGreaterThan(1), 30_000)
    led.clock.advance(50)
    await led.drain()
    const run = await led.runOf(transactionId)
    expect([run.status, run.steps, attempts]).toEqual(['completed', 'mail:completed', 2])
    expect(led.bridge.calls.at(-1)?.event.state).toHaveLength(1)
  })

  test('asks for the manifest of an unlisted step', async (context) => {
    const led = await start(context)
    const run = await play(led, mail, [])
    expect(run.status).toBe('completed')
    expect(led.bridge.calls.map(({ event }) => event.describe)).toEqual([undefined, ['mail']])
  })

  test('calls the bridge again if the step did not complete', async (context) => {
    const led = await start(context)
    const metadata = { status: 'success', error: false, duration: 0, final: true }
    const skipped = { step: listed[0], outputs: {}, providers: {}, options: { skip: true }, metadata }
    led.bridge.onCall = () => (led.bridge.calls.length === 1 ? { reply: skipped } : undefined)
    const program: Program = async ({ step }) => {
      await step('mail', 'email', message)
      await step('text', 'sms', message)
    }
    const run = await play(led, program, [...listed, { stepId: 'text', type: 'sms' }])
    expect([run.status, run.steps]).toEqual(['completed', 'mail:skipped text:completed'])
    expect(led.bridge.calls).toHaveLength(2)
  })

  test('does not complete a run that was canceled during the call', async (context) => {
    const led = await start(context)
    led.bridge.onCall = () => led.cancel('once').then(() => undefined)
    await led.trigger({ name: await led.add(mail, listed), to: 'anna', transactionId: 'once', payload: {} })
    await led.drain()
    expect((await led.runOf('once')).status).toBe('canceled')
  })

  test('is completed if the function handles the failure of an earlier step', async (context) => {
    const led = await start(context)
    const program: Program = async ({ step, handleFailure }) => {
      handleFailure('text')
      await step('text', 'sms', () => {
        throw new Error('no')
      })
      await step('mail', 'email', message)
    }
    const run = await play(led, program, [{ stepId: 'text', type: 'sms' }, ...listed])
    expect([run.status, run.steps]).toEqual(['completed', 'text:failed mail:completed'])
    expect(led.bridge.calls).toHaveLength(2)
  })
})
