import { expectTypeOf, it } from 'vitest'
import {
  type ApiClient,
  type CountedPage,
  createApiClient,
  type JsonObject,
  type Subscriber,
  type TopicV1,
  type TriggerBody,
  type TriggerResult,
} from '../index.ts'

it('types path parameters, query, body and result of every call by its operation', () => {
  // Never called: only the compiler checks these.
  const calls = async (api: ApiClient) => {
    expectTypeOf((await api.events.trigger({ body: { name: 'w', to: 's' } })).data).toEqualTypeOf<TriggerResult>()
    expectTypeOf((await api.events.cancel({ transactionId: 't' })).data).toEqualTypeOf<boolean>()
    for await (const item of api.subscribers.search.each()) expectTypeOf(item).toEqualTypeOf<Subscriber>()
    for await (const item of api.workflows.list.each()) expectTypeOf(item.workflowId).toEqualTypeOf<string>()
    for await (const item of api.layouts.list.each()) expectTypeOf(item.layoutId).toEqualTypeOf<string>()
    for await (const item of api.inbox.list.each({ subscriberId: 's' })) expectTypeOf(item.isRead).toBeBoolean()
    await api.feeds.list()
    interface Order {
      id: number
    }
    const payload: Order = { id: 7 }
    await api.events.trigger({ body: { name: 'w', to: [{ type: 'Topic', topicKey: 't' }], payload } })
    // @ts-expect-error the path parameter is missing
    await api.events.cancel()
    // @ts-expect-error the path parameter has another name
    await api.events.cancel({ id: 't' })
    // @ts-expect-error the body is missing
    await api.events.trigger({})
    // @ts-expect-error the body is missing, although none of its fields is required
    await api.subscribers.update({ subscriberId: 's' })
    // @ts-expect-error the operation takes no body
    await api.topics.get({ topicKey: 't', body: {} })
    // @ts-expect-error the provider is not one of the known ones
    await api.subscribers.updateCredentials({ subscriberId: 's', body: { providerId: 'x', credentials: {} } })
    // @ts-expect-error the required query is missing
    await api.executionDetails.list()
    // @ts-expect-error a single resource has no pages
    api.topics.get.each({ topicKey: 't' })
    await api.events.broadcast({ body: { name: 'w' } })
    // @ts-expect-error a context in full needs its id
    await api.events.trigger({ body: { name: 'w', to: 's', context: { tenant: { data: {} } } } })
    const endpoint = { subscriberId: 's', integrationIdentifier: 'i', endpoint: { url: 'x' } }
    await api.channelEndpoints.create({ body: { ...endpoint, type: 'webhook' } })
    // @ts-expect-error the address of a webhook is not that of a phone
    await api.channelEndpoints.create({ body: { ...endpoint, type: 'phone' } })
  }
  expectTypeOf(calls).toBeFunction()
  expectTypeOf(createApiClient).returns.toEqualTypeOf<ApiClient>()
})

it('the operations have the input and output types of the API', () => {
  const calls = async (api: ApiClient) => {
    const channels = [{ providerId: 'slack', credentials: { webhookUrl: 'https://example.org' } }] as const
    await api.subscribers.update({ subscriberId: 's', body: { channels } })
    await api.subscribers.createBulk({ body: { subscribers: [{ subscriberId: 's', channels }] } })
    await api.contexts.list({ query: { type: 'tenant' } })
    await api.contexts.update({ type: 'tenant', id: 'acme', body: { bridgeUrl: null } })
    const steps = [{ name: 'S', type: 'sms', providerOverrides: { twilio: {} } }] as const
    await api.workflows.create({ body: { name: 'W', workflowId: 'w', steps, isTranslationEnabled: true } })
    const connection = { workspace: { id: 'w', botUserId: 'b' }, auth: { accessToken: 't' } }
    await api.channelConnections.update({ identifier: 'c', body: connection })
    const [item] = (await api.subscribers.getFeed({ subscriberId: 's' })).data.data
    expectTypeOf(item?.subscriber?.firstName).toEqualTypeOf<string | null | undefined>()
    // @ts-expect-error a feed tells less of its subscriber than a subscriber does
    item?.subscriber?.createdAt
  }
  expectTypeOf(calls).toBeFunction()
})

it('accepts only the published values of path parameters', () => {
  const calls = async (api: ApiClient) => {
    await api.subscribers.getPreferencesByLevel({ subscriberId: 's', level: 'template' })
    // @ts-expect-error there is no such level
    await api.subscribers.getPreferencesByLevel({ subscriberId: 's', level: 'workflow' })
    await api.subscribers.markAction({ subscriberId: 's', messageId: 'm', type: 'primary', body: { status: 'done' } })
    // @ts-expect-error there is no such action
    await api.subscribers.markAction({ subscriberId: 's', messageId: 'm', type: 'third', body: { status: 'done' } })
    // @ts-expect-error there is no such status
    await api.subscribers.markAction({ subscriberId: 's', messageId: 'm', type: 'primary', body: { status: 'x' } })
    // @ts-expect-error there is no such action
    await api.inbox.completeAction({ subscriberId: 's', notificationId: 'n', type: 'third' })
    await api.inbox.revertAction({ subscriberId: 's', notificationId: 'n', type: 'secondary' })
  }
  expectTypeOf(calls).toBeFunction()
})

it('results and requests have the published fields', () => {
  expectTypeOf<TriggerResult['activityFeedLink']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<TriggerResult['jobData']>().toEqualTypeOf<JsonObject | undefined>()
  expectTypeOf<Subscriber['__v']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<CountedPage<TopicV1>['totalCount']>().toEqualTypeOf<number>()
  const calls = async (api: ApiClient) => {
    const credentials = [{ providerId: 'fcm', credentials: { deviceTokens: ['d'] } }] as const
    await api.events.trigger({ body: { name: 'w', to: { subscriberId: 's', channels: credentials } } })
    await api.bridge.sync({ query: { source: 'cli' }, body: { bridgeUrl: 'https://bridge.test' } })
    expectTypeOf((await api.topics.listV1()).data.totalCount).toEqualTypeOf<number>()
    expectTypeOf((await api.notifications.get({ notificationId: 'n' })).data.jobs?.[0]?.status).toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf((await api.apiKeys.regenerate()).data[0]?.key).toEqualTypeOf<string | undefined>()
  }
  expectTypeOf(calls).toBeFunction()
})

it('accepts undefined for every optional field', () => {
  const calls = async (api: ApiClient, maybe: string | undefined, count: number | undefined) => {
    const to = { subscriberId: 's', email: maybe, data: undefined }
    const body: TriggerBody = { name: 'w', to, payload: undefined, transactionId: maybe, actor: maybe }
    await api.events.trigger({ body }, { idempotencyKey: maybe, signal: undefined })
    await api.events.triggerBulk({ body: { events: [body] } })
    await api.subscribers.search({ query: { email: maybe, limit: count } })
    await api.subscribers.patch({ subscriberId: 's', body: { email: maybe } })
    await api.notifications.list({ query: { search: maybe, page: count } })
    createApiClient({ secretKey: 'k', apiUrl: 'https://api.test', timeoutMs: count, region: undefined })
  }
  expectTypeOf(calls).toBeFunction()
})
