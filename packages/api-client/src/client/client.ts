import type { ApiClientOptions } from '../config/options.ts'
import { type ApiClient, operations } from '../generated/client.ts'
import { createGroups } from './create-groups.ts'

/**
 * Creates a client of the service's REST API.
 *
 * @param options - Secret, address and limits.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an invalid option.
 * @source service-api.md#endpoints
 *
 * @example
 * const api = createApiClient({ secretKey, apiUrl })
 * const { data } = await api.events.trigger({ body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } })
 * for await (const subscriber of api.subscribers.search.each({ query: { limit: 100 } })) console.log(subscriber.email)
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  // The types are generated from the same operations; `client.test.ts` calls every operation.
  return createGroups(operations, options) as ApiClient
}
