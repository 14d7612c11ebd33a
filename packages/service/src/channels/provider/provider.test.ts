import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeObjects } from '../../json/json.ts'
import { toDelivery } from '../channels.fixture.ts'
import { conditionOperators, matchesConditions } from './conditions.ts'
import { maskCredentials, unmaskCredentials } from './mask-credentials.ts'
import { findIgnored, findWantedIntegration, resolveOverrides } from './provider-overrides.ts'

describe('the overrides of a provider', () => {
  const layers = {
    code: { one: 'code', two: 'code', three: 'code', four: 'code', five: 'code', deep: { a: 1, b: [1, 2] } },
    channel: {
      two: 'channel',
      three: 'channel',
      four: 'channel',
      five: 'channel',
      integrationIdentifier: 'x',
      layoutIdentifier: 'y',
      layoutId: 'z',
    },
    provider: { three: 'provider', four: 'provider', five: 'provider', deep: { b: [3] } },
    providers: { four: 'providers', five: 'providers' },
    step: { five: 'step' },
  }
  const overrides = {
    email: layers.channel,
    nodemailer: layers.provider,
    providers: { nodemailer: layers.providers, other: { one: 'other' } },
    steps: {
      step: { providers: { nodemailer: layers.step } },
      another: { providers: { nodemailer: { one: 'another' } } },
    },
  }
  const delivery = toDelivery(
    'email',
    {},
    { overrides, providers: { nodemailer: layers.code, other: { one: 'other' } } },
  )

  test('apply in order: code, channel, provider, step', () => {
    expect(resolveOverrides(delivery, 'nodemailer').fields).toEqual({
      one: 'code',
      two: 'channel',
      three: 'provider',
      four: 'providers',
      five: 'step',
      deep: { a: 1, b: [3] },
    })
  })

  test('have passthrough fields merged recursively', () => {
    const code = {
      _passthrough: { body: { a: 1, n: { x: 1 } }, headers: { 'X-A': 'code', 'x-n': 7 }, query: { Q: 'code' } },
    }
    const step = {
      _passthrough: { body: { n: { y: 2 } }, headers: { 'X-A': 'step', bad: { no: 1 } }, query: { r: true } },
    }
    const resolvedOverrides = resolveOverrides(
      toDelivery('sms', {}, { providers: { 'generic-sms': code }, overrides: { providers: { 'generic-sms': step } } }),
      'generic-sms',
    )
    expect(resolvedOverrides).toEqual({
      fields: {},
      body: { a: 1, n: { x: 1, y: 2 } },
      headers: { 'x-a': 'step', 'x-n': '7' },
      query: { Q: 'code', r: 'true' },
    })
  })

  test.each([
    ['email', { from: 'me@x.example' }, { from: { address: 'me@x.example' } }],
    ['email', { from: 'Me <me@x.example>' }, { from: 'Me <me@x.example>' }],
    ['sms', { from: 'me@x.example' }, { from: 'me@x.example' }],
  ] as const)('of %s with only the sender %j keep the sender name', (channel, override, fields) => {
    const overrides = { [channel]: override }
    expect(resolveOverrides(toDelivery(channel, {}, { overrides }), 'p').fields).toEqual(fields)
    const own = { overrides: { providers: { p: override } } }
    expect(resolveOverrides(toDelivery(channel, {}, own), 'p').fields).toEqual(override)
  })

  test('of an invalid type are reported', () => {
    const ignoredOf = (overrides: object, providers: object = {}) =>
      findIgnored(toDelivery('sms', {}, { overrides, providers } as never), 'p')
    expect(ignoredOf({ sms: {}, p: null, providers: { other: 1 }, steps: { other: 1 } }, { other: 1 })).toEqual([])
    expect(ignoredOf({ sms: 'x', p: [1], providers: 2, steps: true }, { p: 'y' })).toEqual([
      'The step output for "p" is ignored: it is not an object.',
      'The override "sms" is ignored: it is not an object.',
      'The override "p" is ignored: it is not an object.',
      'The override "providers" is ignored: it is not an object.',
      'The override "steps" is ignored: it is not an object.',
    ])
    expect(ignoredOf({ providers: { p: 1 }, steps: { step: { providers: { p: [] } } } })).toEqual([
      'The override "providers.p" is ignored: it is not an object.',
      'The override "steps.step.providers.p" is ignored: it is not an object.',
    ])
    expect(ignoredOf({ steps: { step: { providers: 'x' } } })).toHaveLength(1)
    expect(ignoredOf({ steps: { step: 'x' } })).toHaveLength(1)
    const passed = { body: 1, headers: { good: 'x', bad: { no: 1 }, none: null }, query: { list: [1] } }
    expect(ignoredOf({ p: { _passthrough: passed } })).toEqual([
      'The override "_passthrough.body" is ignored: it is not an object.',
      'The override "_passthrough.headers.bad" is ignored: it is not a string.',
      'The override "_passthrough.query.list" is ignored: it is not a string.',
    ])
    expect(ignoredOf({ p: { _passthrough: 'x' } })).toEqual([
      'The override "_passthrough" is ignored: it is not an object.',
    ])
  })

  test('are read without an error for any JSON, and never modify a prototype', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (code, trigger) => {
        const providers = { p: code } as never
        const resolvedOverrides = resolveOverrides(
          toDelivery(
            'chat',
            {},
            { providers, overrides: { chat: trigger, providers: trigger, steps: { step: trigger } } as never },
          ),
          'p',
        )
        findIgnored(toDelivery('chat', {}, { providers, overrides: { providers: trigger } } as never), 'p')
        expect(Object.values(resolvedOverrides.headers).every((value) => typeof value === 'string')).toBe(true)
      }),
    )
    mergeObjects(JSON.parse('{"__proto__":{"polluted":1}}'), JSON.parse('{"__proto__":{"more":1}}'))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(JSON.stringify(mergeObjects(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"b":2}}')))).toBe(
      '{"__proto__":{"a":1,"b":2}}',
    )
  })

  test('name an integration for the channel, with the newer location first', () => {
    expect(findWantedIntegration({ sms: { integrationIdentifier: 'old' } }, 'sms')).toBe('old')
    expect(
      findWantedIntegration(
        { sms: { integrationIdentifier: 'old' }, channels: { sms: { integrationIdentifier: 'new' } } },
        'sms',
      ),
    ).toBe('new')
    expect(
      findWantedIntegration({ email: { integrationIdentifier: 'x' }, sms: { integrationIdentifier: 7 } }, 'sms'),
    ).toBeUndefined()
  })
})

describe('the conditions of an integration', () => {
  const run = {
    ...toDelivery('sms', {}).run,
    payload: { n: 5, list: ['a', 'b'], o: { x: 1 }, t: 'text' },
    tenant: { identifier: 'acme' },
  }
  const { subscriber } = toDelivery('sms', {})
  const holds = (groups: unknown): boolean => matchesConditions(JSON.stringify(groups), { run, subscriber })
  const child = (on: string, field: string, operator: string, value = '') => ({ on, field, operator, value })
  const yes = child('payload', 't', 'EQUAL', 'text')
  const no = child('payload', 't', 'EQUAL', 'other')

  test.each([
    [child('payload', 'n', 'EQUAL', '5'), true],
    [child('payload', 'n', 'NOT_EQUAL', '5'), false],
    [child('payload', 'n', 'LARGER', '4'), true],
    [child('payload', 'n', 'LARGER', '5'), false],
    [child('payload', 'n', 'SMALLER', '6'), true],
    [child('payload', 'n', 'LARGER_EQUAL', '5'), true],
    [child('payload', 'n', 'SMALLER_EQUAL', '4'), false],
    [child('payload', 'list', 'IN', 'a'), true],
    [child('payload', 'list', 'NOT_IN', 'a'), false],
    [child('payload', 't', 'IN', 'x, text'), true],
    [child('payload', 't', 'NOT_IN', 'x,y'), true],
    [child('payload', 'o', 'EQUAL', '{"x":1}'), true],
    [child('payload', 'o.x', 'IS_DEFINED'), true],
    [child('payload', 'constructor', 'IS_DEFINED'), false],
    [child('subscriber', 'email', 'EQUAL', 'ada@example.com'), true],
    [child('tenant', 'identifier', 'EQUAL', 'acme'), true],
    [child('webhook', 'x', 'NOT_EQUAL', 'y'), true],
    [child('payload', 't', 'toString', 'text'), false],
  ])('%j is met: %s', (one, expected) => {
    expect(holds([{ children: [one] }])).toBe(expected)
  })

  test('are combined by AND in a group unless it says OR, can be negated, and match if one group matches', () => {
    expect(holds([])).toBe(true)
    expect(holds([{ children: [] }])).toBe(true)
    expect(holds([{ children: [yes, no] }])).toBe(false)
    expect(holds([{ value: 'AND', children: [yes, yes] }])).toBe(true)
    expect(holds([{ value: 'OR', children: [yes, no] }])).toBe(true)
    expect(holds([{ isNegated: true, children: [yes] }])).toBe(false)
    expect(holds([{ isNegated: true, children: [no] }])).toBe(true)
    expect(holds([{ children: [no] }, { children: [yes] }])).toBe(true)
    expect(holds([{ children: [no] }, { children: [no] }])).toBe(false)
  })

  test('have no operators outside the list', () => {
    expect(conditionOperators).toHaveLength(9)
  })
})

describe('credentials', () => {
  test('are masked except for known harmless fields, at any depth', () => {
    const credentials = {
      host: 'h',
      port: 25,
      secure: true,
      password: 'p',
      user: '',
      unheardOf: 'x',
      pin: 1234,
      tlsOptions: { ca: ['c'], rejectUnauthorized: false },
    }
    expect(maskCredentials(credentials)).toEqual({
      host: 'h',
      port: 25,
      secure: true,
      password: '******',
      user: '',
      unheardOf: '******',
      pin: '******',
      tlsOptions: { ca: ['******'], rejectUnauthorized: false },
    })
  })

  test('keep stored values for masks', () => {
    const stored = { password: 'p', apiKey: 'k' }
    expect(unmaskCredentials({ password: '******', host: 'h' }, stored)).toEqual({
      credentials: { password: 'p', host: 'h' },
      unknown: [],
      kept: ['password'],
      moved: ['host'],
    })
    expect(unmaskCredentials({ other: '******' }, stored).unknown).toEqual(['other'])
    expect(unmaskCredentials(JSON.parse('{"constructor":"******"}'), stored).unknown).toEqual(['constructor'])
  })
})
