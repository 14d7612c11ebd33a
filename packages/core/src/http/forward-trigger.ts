import type { EventsClient } from '@trestle/api-client/events'
import { CodedError, isObject } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { BridgeEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { resolveApiUrl } from '../config/service-preset.ts'
import { checkPayload } from '../run/state/check-payload.ts'
import { apiFailed, apiOf } from '../trigger/create-api.ts'

/** The request body of a trigger. */
type Body = Parameters<EventsClient['events']['trigger']>[0]['body']

/**
 * Forwards a trigger to the service's REST API, and returns its response.
 *
 * @param registry - The bridge; address and secret come from its settings, never from the call.
 * @throws CodedError - `WorkflowNotFoundError`, `WorkflowPayloadInvalidError`, `MissingSecretKeyError`, or
 * `ApiRequestFailedError` with the API's status if it is a 4xx, otherwise with 502.
 * @source service-api.md#triggers, bridge-protocol.md#requests
 */
export async function forward(
  registry: Registry,
  call: Extract<BridgeEvent, { readonly action: 'trigger' }>,
  scope: CallScope,
): Promise<unknown> {
  const workflow = findWorkflow(registry, call.workflowId)
  await checkPayload(workflow, call.event.payload)
  // One attempt only: the caller sees the API's response and decides whether to retry.
  const { apiUrl: option, service } = registry.settings
  const apiUrl = resolveApiUrl(option, scope.environment, service)
  const api = await apiOf({ secretKey: scope.secrets[0], apiUrl, maxRetries: 0 })
  const controller = new AbortController()
  const body = { ...call.event, name: workflow.id } as Body
  const sending = api.events.trigger({ body }, { signal: controller.signal }).catch((error: unknown) => {
    throw toFailure(error)
  })
  const answer = await scope.deadline.within(sending).finally(() => controller.abort())
  if (!answer) throw apiFailed('The REST API did not answer in time.')
  return { data: answer.data }
}

/** Converts an error: a 4xx from the API keeps its status; any other failure becomes a 502. */
function toFailure(error: unknown): CodedError {
  const { message } = toThrown(error)
  const status = isObject(error) && typeof error['status'] === 'number' ? error['status'] : 0
  if (status < 400 || status >= 500) return apiFailed(`The REST API did not accept the trigger: ${message}`, error)
  const detail = Reflect.get(error as object, 'detail')
  return new CodedError('ApiRequestFailedError', `The REST API rejected the trigger: ${message}`, {
    data: { statusCode: status, message: typeof detail === 'string' ? detail : message },
    status,
    cause: error,
  })
}
