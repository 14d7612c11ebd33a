import { expectTypeOf, it } from 'vitest'
import { type ApiClient, createApiClient, type Subscriber, type TriggerResult } from '../index.ts'

it('types every call by its row: path parameters, query, body and result', () => {
  // Never called: only the compiler looks at these.
  const calls = async (api: ApiClient) => {
    expectTypeOf((await api.events.trigger({ body: { name: 'w', to: 's' } })).data).toEqualTypeOf<TriggerResult>()
    expectTypeOf((await api.events.cancel({ transactionId: 't' })).data).toEqualTypeOf<boolean>()
    for await (const item of api.subscribers.search.each()) expectTypeOf(item).toEqualTypeOf<Subscriber>()
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
    // @ts-expect-error the provider is not one of the known ones
    await api.subscribers.updateCredentials({ subscriberId: 's', body: { providerId: 'x', credentials: {} } })
    // @ts-expect-error the required query is missing
    await api.executionDetails.list()
    // @ts-expect-error a single resource has no pages
    api.topics.get.each({ topicKey: 't' })
  }
  expectTypeOf(calls).toBeFunction()
  expectTypeOf(createApiClient).returns.toEqualTypeOf<ApiClient>()
})
