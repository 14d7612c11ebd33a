import type { EmitResult } from '@trestle/api-client'
import type { JsonObject } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import type { CallSettings } from './create-api.ts'

const calling = lazy(() => import('./create-api.ts'))

/** An event that steps wait for. */
export interface EventRequest {
  /** The name of the event, as `step.waitForEvent` has it. */
  readonly name: string
  /** Its data. @default {} */
  readonly payload?: JsonObject | undefined
  /** The id of the subscriber whose runs receive it. @default the runs of all */
  readonly to?: string | undefined
  /** The fields that steps compare, up to 50. @default the fields of the payload */
  readonly match?: JsonObject | undefined
}

/**
 * Emits an event through the service's REST API: runs that wait for it with `step.waitForEvent` continue. In a handler,
 * pass on its `idempotencyKey`, so that a repeated handler emits once.
 *
 * @param request - The event.
 * @param options - The account. @default that of the environment's variables
 * @throws CodedError - `MissingSecretKeyError`, `ApiRequestFailedError`.
 * @throws ApiError - The API's error, or why it could not be reached.
 * @example
 * await emitEvent({ name: 'incident.acknowledged', payload: { incidentId: '7', by: 'ada' } })
 * @source service-api.md#wait-for-event
 */
export async function emitEvent(
  { name, payload = {}, to, match }: EventRequest,
  options: CallSettings = {},
): Promise<EmitResult> {
  const { apiOf, toCallOptions } = await calling()
  const api = await apiOf(options)
  const body = { name, payload, ...(to !== undefined && { to }), ...(match && { match }) }
  return (await api.events.emit({ body }, toCallOptions(options))).data
}
