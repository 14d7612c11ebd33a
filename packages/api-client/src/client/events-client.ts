import type { ApiClientOptions } from '../config/options.ts'
import type { ApiClient } from '../generated/client.ts'
import { eventsOperations } from '../generated/events.ts'
import { createGroups } from './create-groups.ts'

/** The part of the client that triggers workflows. */
export type EventsClient = Pick<ApiClient, 'events'>

/**
 * Creates a client that only triggers workflows, for bundles that should not include the rest.
 *
 * @param options - Secret, address and limits.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an invalid option.
 * @source service-api.md#endpoints
 *
 * @example
 * const api = createEventsClient({ secretKey, apiUrl })
 * await api.events.trigger({ body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } })
 */
export function createEventsClient(options: ApiClientOptions): EventsClient {
  return createGroups({ events: eventsOperations }, options) as EventsClient
}
