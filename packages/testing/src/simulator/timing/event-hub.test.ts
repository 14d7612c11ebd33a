import { emitEvent, workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { result } from '../../context/step-stub.ts'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const hourMs = 3_600_000
const now = Date.UTC(2026, 0, 1)

const incident = workflow('incident', async ({ step, payload }) => {
  await step.push('page', () => ({ subject: 'Down', body: `${payload['id']}` }))
  const { received, payload: ack } = await step.waitForEvent('ack', () => ({
    event: 'incident.acknowledged',
    match: { id: payload['id'] as string },
    timeout: { amount: 1, unit: 'hours' },
  }))
  if (!received) await step.sms('escalate', () => ({ body: 'Nobody answers' }))
  else await step.inApp('thanks', () => ({ body: `Thanks, ${ack['by']}` }))
})
const bridge = testBridge({ workflows: [incident], logger, now })
const name = 'incident.acknowledged'
const payload = { id: 'i-1' }

describe('a wait for an event', () => {
  test('ends with its timeout, without waiting in real time', async () => {
    const run = await bridge.run(incident, { payload })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('sms', { body: 'Nobody answers' })
    expect(run.steps['ack']).toMatchObject({ waitMs: hourMs, result: { received: false, payload: null } })
  })

  test('ends when the event is emitted', async () => {
    const events = [{ name, payload: { id: 'i-1', by: 'Ada' }, afterMs: 60_000 }]
    const run = await bridge.run(incident, { payload, events })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('in_app', { body: 'Thanks, Ada' })
    expect(run).not.toHaveSent('sms')
    expect(run.steps['ack']).toMatchObject({ waitMs: 60_000, result: { received: true, payload: { by: 'Ada' } } })
    expect(run.endedAt).toBe(new Date(now + 60_000).toISOString())
  })

  test.each([
    ['another name', { name: 'other', payload: { id: 'i-1' } }],
    ['other fields', { name, payload: { id: 'i-2' } }],
    ['fields that are listed without it', { name, payload: { id: 'i-1' }, match: { by: 'x' } }],
    ['another subscriber', { name, payload: { id: 'i-1' }, to: 'bob' }],
    ['a time after the timeout', { name, payload: { id: 'i-1' }, afterMs: hourMs + 1 }],
  ])('does not end with an event of %s', async (_what, event) => {
    const run = await bridge.run(incident, { payload, events: [{ afterMs: 5, ...event }] })
    expect(run).toHaveSent('sms')
  })

  test('receives an event that a handler emits before the wait, and one for its subscriber', async () => {
    const early = workflow('early', async ({ step }) => {
      await step.custom('emit', () => {
        bridge.emit({ name: 'e', payload: { n: 1 }, to: 'ada' })
        return {}
      })
      const timeout = { amount: 1, unit: 'hours' } as const
      const first = await step.waitForEvent('first', () => ({ event: 'e', timeout }))
      const second = await step.waitForEvent('second', () => ({ event: 'e', timeout }))
      await step.custom('seen', () => ({ first: first.payload, second: second.received }))
    })
    const run = await testBridge({ workflows: [early], logger }).run(early, { subscriber: 'ada' })
    expect(run.steps['seen']?.result).toEqual({ first: { n: 1 }, second: false })
  })

  test('receives an event that a handler emits through the API, for all of its runs', async () => {
    const asks = workflow('asks', async ({ step }) => {
      const timeout = { amount: 1, unit: 'hours' } as const
      const account = { apiUrl: 'https://api.test', secretKey: 'key' }
      const answered = step.waitForEvent('answered', () => ({ event: 'e', match: { n: 1 }, timeout }))
      await step.delay('pause', () => ({ amount: 5, unit: 'minutes' }))
      await step.custom('emit', async (_, { idempotencyKey }) => {
        return { ...(await emitEvent({ name: 'e', payload: { n: 1, more: true } }, { idempotencyKey, ...account })) }
      })
      const { payload: got } = await answered
      await step.custom('seen', () => ({ got }))
    })
    const run = await testBridge({ workflows: [asks], logger, now }).run(asks)
    expect(run).toHaveCompleted()
    expect(run.steps['seen']?.result).toEqual({ got: { n: 1, more: true } })
    expect(run.steps['answered']?.waitMs).toBe(300_000)
  })

  describe('with events that a handler emits through the API', () => {
    type Request = readonly [body: unknown, headers?: Record<string, string>]
    const play = async (...requests: readonly Request[]) => {
      const asks = workflow('asks', async ({ step }) => {
        await step.custom('emit', async () => {
          const answers: (readonly [number, string])[] = []
          for (const [body, headers = {}] of requests) {
            const request = { method: 'POST', headers, body: JSON.stringify(body) }
            const answer = await fetch('https://api.test/v1/events/emit', request)
            answers.push([answer.status, await answer.text()])
          }
          return { answers }
        })
        const timeout = { amount: 1, unit: 'hours' } as const
        const first = await step.waitForEvent('first', () => ({ event: 'e', timeout }))
        const second = await step.waitForEvent('second', () => ({ event: 'e', timeout }))
        await step.custom('seen', () => ({ seen: [first.payload, second.payload] }))
      })
      const run = await testBridge({ workflows: [asks], logger, now }).run(asks)
      const answers = run.steps['emit']?.result['answers'] as readonly (readonly [number, string])[]
      return { answers, statuses: answers.map(([status]) => status), seen: run.steps['seen']?.result['seen'] }
    }

    test('receives an event whose optional fields are null', async () => {
      const { statuses, seen } = await play([{ name: 'e', payload: { n: 1 }, to: null, match: null }])
      expect({ statuses, seen }).toEqual({ statuses: [201], seen: [{ n: 1 }, null] })
    })

    test.each([
      ['an unknown field', { name: 'e', paylod: {} }, 'paylod: is not a field'],
      ['a payload that is not an object', { name: 'e', payload: 5 }, 'payload: must be an object'],
      ['a payload of null', { name: 'e', payload: null }, 'payload: must be an object'],
      ['a list as match', { name: 'e', match: [] }, 'match: must be an object'],
      ['a subscriber that is not an id', { name: 'e', to: { subscriberId: 'ada' } }, 'to: must be the id'],
      ['a blank subscriber', { name: 'e', to: ' ' }, 'to: must be the id'],
      ['no name', {}, 'name: must be'],
      ['a body that is not an object', [], 'The body must be an object'],
    ])('rejects %s', async (_what, body, message) => {
      const { answers, seen } = await play([body])
      expect(answers).toEqual([[422, expect.stringContaining(message)]])
      expect(seen).toEqual([null, null])
    })

    test('receives an event once for each idempotency key', async () => {
      const event = { name: 'e', payload: { n: 1 } }
      const other = { name: 'e', payload: { n: 2 } }
      const { answers, statuses, seen } = await play(
        [event, { 'idempotency-key': 'k' }],
        [event, { 'Idempotency-Key': 'k' }],
        [other, { 'idempotency-key': 'k' }],
        [other, { 'idempotency-key': 'another' }],
      )
      expect(statuses).toEqual([201, 201, 422, 201])
      expect(answers[2]?.[1]).toContain('is being reused for a different body')
      expect(seen).toEqual([{ n: 1 }, { n: 2 }])
    })
  })

  test('ends when the function has returned', async () => {
    const race = workflow('race', async ({ step }) => {
      const never = step.waitForEvent('never', () => ({ event: 'e', timeout: { amount: 1, unit: 'months' } }))
      const short = step.delay('short', () => ({ amount: 1, unit: 'minutes' }))
      await Promise.race([never, short])
    })
    const run = await testBridge({ workflows: [race], logger, now }).run(race)
    expect(run).toHaveCompleted()
    expect(run.steps['never']?.status).toBe('skipped')
    expect(run.endedAt).toBe(new Date(now + 60_000).toISOString())
  })

  test('ends in all runs that wait for the event', async () => {
    const events = [{ name, payload: { id: 'i-1', by: 'Ada' }, afterMs: 60_000 }]
    const triggers = [{ payload, afterMs: 30_000 }, { payload: { id: 'i-2' } }]
    const run = await bridge.run(incident, { payload, events, triggers })
    const ended = [run, ...run.others].map(({ steps }) => Object.keys(steps).at(-1))
    expect(ended).toEqual(['thanks', 'thanks', 'escalate'])
  })

  test('receives only payloads that match its schema', async () => {
    const typed = workflow('typed', async ({ step }) => {
      const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
      const timeout = { amount: 1, unit: 'hours' } as const
      await step.waitForEvent('wait', () => ({ event: 'e', timeout }), { schema })
    })
    const events = [
      { name: 'e', payload: { n: 'x' }, afterMs: 1 },
      { name: 'e', payload: { n: 2 }, afterMs: 2 },
    ]
    const run = await testBridge({ workflows: [typed], logger }).run(typed, { events })
    expect(run.steps['wait']).toMatchObject({ waitMs: 2, result: { payload: { n: 2 } } })
  })

  test('can be replaced by a double', async () => {
    const came = await bridge.run(incident, { payload, doubles: { ack: result.waitForEvent({ by: 'Bo' }) } })
    expect(came).toHaveSent('in_app', { body: 'Thanks, Bo' })
    expect(came.steps['ack']?.waitMs).toBe(0)
    const none = await bridge.run(incident, { payload, doubles: { ack: result.waitForEvent(null) } })
    expect(none.steps['ack']?.waitMs).toBe(hourMs)
  })

  test('fails in a service that supports only listed steps', async () => {
    const run = await bridge.run(incident, { payload, service: 'listed' })
    expect(run).toHaveFailed('ack', { message: /needs run-driven execution/ })
  })
})

test('an event outside a run, or an invalid event, is rejected', async () => {
  expect(() => bridge.emit({ name })).toThrow('needs a run in progress')
  expect(() => bridge.emit({ name, to: '' })).toThrow('to must be a string')
  expect(() => bridge.emit({ nmae: 'x' } as never)).toThrow('Unknown option "nmae"')
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, 1]))
  await expect(bridge.run(incident, { payload, events: [{ name, payload: many }] })).rejects.toThrow('50 fields')
})
