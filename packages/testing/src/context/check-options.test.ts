import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'

const hello = workflow('hello', async ({ step }) => {
  await step.email('mail', () => ({ subject: 's', body: 'b' }))
})
const bridge = testBridge({ workflows: [hello] })

describe('of a run', () => {
  test.each<[string, object, string]>([
    [
      'an unknown name',
      { paylod: {} },
      'Unknown option "paylod". The options are: actor, children, context, controls, doubles, env',
    ],
    ['what every object has', { constructor: 1 }, 'Unknown option "constructor"'],
    ['an unknown name of a trigger', { triggers: [{ payload: {}, after: 5 }] }, 'Unknown option "triggers[0].after"'],
    ['a trigger without payload', { triggers: [{ afterMs: 5 }] }, 'The option triggers[0] must have a payload.'],
    ['a trigger that is not an object', { triggers: [5] }, 'The option triggers[0] must be an object; got 5.'],
    [
      'triggers that are not a list',
      { triggers: { payload: {} } },
      'The option triggers must be a list; got {"payload":{}}.',
    ],
    [
      'a time before the run',
      { triggers: [{ payload: {}, afterMs: -1 }] },
      'triggers[0].afterMs must be milliseconds, 0',
    ],
    ['a time that never comes', { triggers: [{ payload: {}, afterMs: Number.POSITIVE_INFINITY }] }, '.afterMs must be'],
    [
      'a time that is not one',
      { triggers: [{ payload: {}, afterMs: '5' }] },
      'afterMs must be milliseconds, 0 or more; got "5".',
    ],
    [
      'a time beyond the last date',
      { triggers: [{ payload: {}, afterMs: 9e15 }] },
      'The option afterMs must be a time',
    ],
    [
      'another replay',
      { replay: 'everystep' },
      "The option replay must be 'never' or 'every-step'; got \"everystep\".",
    ],
    ['another service', { service: 'list' }, "The option service must be 'run-driven' or 'listed'; got \"list\"."],
    ['another network', { network: 'allowed' }, "The option network must be 'refuse', 'allow' or a list of hosts"],
    ['a URL as a host', { network: ['https://api.test/x'] }, 'The option network must be'],
    ['a subscriber without an id', { subscriber: '' }, 'The option subscriber must be a subscriber or its id; got "".'],
    [
      'a subscriber with an empty id',
      { subscriber: { subscriberId: '' } },
      'The option subscriber must be a subscriber or its id; got {"subscriberId":""}.',
    ],
    [
      'controls that are not an object',
      { controls: { mail: 'Hello' } },
      'The option controls.mail must be an object; got',
    ],
    ['env', { env: 'dev' }, 'The option env must be an object; got "dev".'],
    ['a time', { now: null }, 'The option now must be a time'],
    ['doubles as a list', { doubles: [] }, 'The option doubles must be an object; got [].'],
  ])('rejects %s', async (_what, options, message) => {
    await expect(bridge.run(hello, options as never)).rejects.toThrow(message)
    await expect(bridge.run(hello, options as never)).rejects.toBeInstanceOf(TypeError)
  })

  test('accepts all options together, and ignores undefined', async () => {
    const subscriber = { subscriberId: 'ada' }
    const given = {
      payload: {},
      subscriber,
      env: {},
      context: {},
      actor: subscriber,
      now: 0,
      network: [],
      replay: 'never',
    }
    const rest = { controls: {}, doubles: {}, triggers: [{ payload: {} }] }
    expect((await bridge.run(hello, { ...given, ...rest } as never)).status).toBe('completed')
    const none = Object.fromEntries(Object.keys({ ...given, ...rest }).map((name) => [name, undefined]))
    expect((await bridge.run(hello, none as never)).status).toBe('completed')
  })
})

test('a subscriber without an id has the default id', async () => {
  const named = workflow('named', async ({ step, subscriber }) => {
    await step.sms('text', () => ({ body: `${subscriber.firstName} ${subscriber.subscriberId}` }))
  })
  const run = await testBridge({ workflows: [named] }).run(named, { subscriber: { firstName: 'Ada' } })
  expect(run.subscriberId).toBe('subscriber-1')
  expect(run.sent[0]?.outputs['body']).toBe('Ada subscriber-1')
})

test.each(['execute', 'preview'] as const)('of %s', async (action) => {
  await expect(bridge[action](hello, 'mail', { double: {} } as never)).rejects.toThrow(
    'Unknown option "double". The options are: actor, context, controls, env, network, now, payload, state, subscriber.',
  )
  await expect(bridge[action](hello, 'mail', { state: {} } as never)).rejects.toThrow('The option state must be a list')
})

test('invalid options of a test bridge are rejected', () => {
  expect(() => testBridge({ workflows: [hello], replay: 'always' as never })).toThrow('The option replay must be')
  expect(() => testBridge({ workflows: [hello], network: 'off' as never })).toThrow('The option network must be')
  expect(() => testBridge({ workflows: [hello], service: null as never })).toThrow('The option service must be')
  expect(() => testBridge({ workflows: [hello], now: 'noon' })).toThrow('The option now must be a time')
})
