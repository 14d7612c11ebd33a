import type { EmitResult } from '@trestle/api-client'
import type { JsonObject } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { anyWorkflow, resolveAccount } from './account.ts'
import type { CallSettings } from './create-api.ts'
import { withRequestKey } from './request-key.ts'

const calling = lazy(() => import('./create-api.ts'))

/** An event that steps wait for. */
export interface EventRequest {
  /** The event's name, as in `step.waitForEvent`. */
  readonly name: string
  /** The event's data. @default {} */
  readonly payload?: JsonObject | undefined
  /** The id of the subscriber whose runs receive it. @default the runs of all subscribers */
  readonly to?: string | undefined
  /** The fields that steps compare, up to 50. @default the fields of the payload */
  readonly match?: JsonObject | undefined
}

/**
 * Emits an event through the service's REST API, so that runs waiting for it with `step.waitForEvent` continue. In a
 * handler, pass its context, so that a retried handler emits each event only once, to the service that called it.
 *
 * @param request - The event to emit.
 * @param options - The account, or the context of the handler.
 *   @default the account of the app's bridges, else SERVICE_API_URL and SERVICE_SECRET_KEY
 * @throws CodedError - `MissingSecretKeyError`, `ApiRequestFailedError`.
 * @throws TypeError - The app's bridges have different accounts, and the options do not contain one.
 * @throws ApiError - The API returned an error or could not be reached.
 * @example
 * await emitEvent({ name: 'incident.acknowledged', payload: { incidentId: '7', by: 'ada' } })
 * @source service-api.md#wait-for-event
 */
export async function emitEvent(
  { name, payload = {}, to, match }: EventRequest,
  options: CallSettings = {},
): Promise<EmitResult> {
  const settings = withRequestKey(options)
  const { apiOf, toCallOptions } = await calling()
  const api = await apiOf({ ...settings, ...resolveAccount(anyWorkflow, settings) })
  const body = { name, payload, ...(to !== undefined && { to }), ...(match && { match }) }
  return (await api.events.emit({ body }, toCallOptions(settings))).data
}
