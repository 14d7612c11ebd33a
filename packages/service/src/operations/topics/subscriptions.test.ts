import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const path = '/v2/topics/news/subscriptions'

describe.each(drivers)('subscriptions (%s)', (driver) => {
  test('cannot have an identifier that belongs to another subscriber', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    await addSubscriber('bob')
    const subscribe = (...subscriptions: object[]) => call('POST', path, { subscriptions })
    await subscribe({ subscriberId: 'ada', identifier: 'first' })
    const taken = { subscriberId: 'bob', identifier: 'first' }
    const failure = { subscriberId: 'bob', code: 'IDENTIFIER_TAKEN', message: expect.stringContaining('"first"') }
    const refused = await subscribe(taken)
    expect([refused.status, refused.body.errors, refused.body.data]).toEqual([400, [failure], []])
    expect(refused.body.message).toContain('"first"')
    const partly = await subscribe(taken, { subscriberId: 'bob', identifier: 'second' })
    expect([partly.status, partly.body.errors, partly.body.meta]).toEqual([
      201,
      [failure],
      { totalCount: 2, successful: 1, failed: 1 },
    ])
    // A subscriber's own subscription is kept.
    expect((await subscribe({ subscriberId: 'ada', identifier: 'first' })).body.meta.successful).toBe(1)
    const { data } = (await call('GET', path)).body
    expect(data.map((item: { identifier: string; subscriber: object }) => [item.identifier, item.subscriber])).toEqual([
      ['second', expect.objectContaining({ subscriberId: 'bob' })],
      ['first', expect.objectContaining({ subscriberId: 'ada' })],
    ])
  })

  test('are listed by subscriber', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    for (const subscriberId of ['ada', 'bob']) await addSubscriber(subscriberId)
    const subscriptions = ['ada', 'bob'].map((subscriberId) => ({ subscriberId, identifier: `of-${subscriberId}` }))
    await call('POST', path, { subscriptions })
    for (const [subscriberId, found] of [
      ['ada', ['of-ada']],
      ['bob', ['of-bob']],
      ['eve', []],
    ] as const) {
      const { data } = (await call('GET', `${path}?subscriberId=${subscriberId}`)).body
      expect(data.map(({ identifier }: { identifier: string }) => identifier)).toEqual(found)
    }
  })

  test('are counted once if they are duplicates', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    const twice = { subscriptions: ['ada', { subscriberId: 'ada' }], subscriberIds: ['ada'] }
    const once = { totalCount: 1, successful: 1, failed: 0 }
    expect((await call('POST', path, twice)).body.meta).toEqual(once)
    const ended = await call('DELETE', path, twice)
    expect([ended.status, ended.body.meta, ended.body.errors]).toEqual([200, once, undefined])
    await call('POST', path, { subscriptions: [{ subscriberId: 'ada', identifier: 'own' }] })
    const inTwoWays = { subscriptions: ['ada', { identifier: 'own' }, { subscriberId: 'ada', identifier: 'own' }] }
    const both = await call('DELETE', path, inTwoWays)
    expect([both.status, both.body.meta, both.body.errors]).toEqual([200, once, undefined])
  })

  test('are created without an identifier, even if the default one is taken', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    for (const subscriberId of ['ada', 'ada:tenant:acme', 'bob', 'eve']) await addSubscriber(subscriberId)
    await call('POST', path, { subscriptions: ['ada'], context: { tenant: 'acme' } })
    await call('POST', path, { subscriptions: [{ subscriberId: 'eve', identifier: 'tk=news:si=bob' }] })
    const wanted = ['ada:tenant:acme', 'bob']
    for (const _again of [1, 2]) {
      const { status, body } = await call('POST', path, { subscriptions: wanted })
      expect([status, body.meta]).toEqual([201, { totalCount: 2, successful: 2, failed: 0 }])
      const added = await call('POST', '/v1/topics/news/subscribers', { subscribers: wanted })
      expect(added.body.data).toEqual({ succeeded: wanted })
    }
    expect((await call('GET', path)).body.totalCount).toBe(4)
  })

  test('distinguish a missing subscription from a missing subscriber', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    await addSubscriber('bob')
    await call('POST', path, { subscriptions: ['ada'] })
    const subscriptions = ['bob', 'nobody', { identifier: 'none' }, { subscriberId: 'ada', identifier: 'none' }]
    const { status, body } = await call('DELETE', path, { subscriptions })
    expect([
      status,
      body.errors.map(({ code, message }: { code: string; message: string }) => [code, message]),
    ]).toEqual([
      400,
      [
        ['SUBSCRIPTION_NOT_FOUND', 'The subscriber "bob" has no subscription to the topic.'],
        ['SUBSCRIBER_NOT_FOUND', 'Subscriber "nobody" was not found.'],
        ['SUBSCRIPTION_NOT_FOUND', 'The topic has no subscription "none".'],
        ['SUBSCRIPTION_NOT_FOUND', 'The subscriber "ada" has no subscription "none" to the topic.'],
      ],
    ])
  })

  test('with the same identifier are stored once if requests are concurrent', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    const ids = Array.from({ length: 8 }, (_, index) => `s${index}`)
    for (const subscriberId of ids) await addSubscriber(subscriberId)
    const wanted = ids.map((subscriberId) => ({ subscriptions: [{ subscriberId, identifier: 'first' }] }))
    const answers = await Promise.all(wanted.map((body) => call('POST', path, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...ids.slice(1).map(() => 400)])
    const refused = answers.filter(({ status }) => status === 400)
    for (const { body } of refused) expect(body.errors[0].code).toBe('IDENTIFIER_TAKEN')
    expect((await call('GET', path)).body.totalCount).toBe(1)
  })
})
