import { CodedError } from '@trestle/protocol'
import type { BridgeEvent } from './call/parse.ts'
import type { CallScope } from './dispatch.ts'
import { findEnvironment } from './environment.ts'
import { isObject } from './json.ts'
import { findWorkflow, type Registry } from './registry.ts'
import { checkPayload } from './run/check-payload.ts'
import { toThrown } from './thrown.ts'

const maxAnswerLength = 1_000_000

/**
 * Sends a trigger on to the service's REST API, and gives its answer.
 *
 * @param registry - The bridge; the address is its own, never one that came with the call.
 * @param call - The workflow and the trigger.
 * @param scope - The call's time and secrets.
 * @throws CodedError - `WorkflowNotFoundError`, `WorkflowPayloadInvalidError`, `MissingSecretKeyError`,
 *   `ApiRequestFailedError`.
 * @source Specification, "Operations with known shapes"; protocol, "Requests".
 */
export async function trigger(
  registry: Registry,
  call: Extract<BridgeEvent, { readonly action: 'trigger' }>,
  scope: CallScope,
): Promise<unknown> {
  const workflow = findWorkflow(registry, call.workflowId)
  await checkPayload(workflow, call.event.payload)
  const [secret] = scope.secrets
  if (secret === undefined)
    throw new CodedError(
      'MissingSecretKeyError',
      'A trigger needs the secret key. Set SERVICE_SECRET_KEY or secretKey.',
    )
  const apiUrl = registry.settings.apiUrl ?? findEnvironment()?.('SERVICE_API_URL')
  if (!apiUrl) throw failed('The address of the REST API is not set. Set SERVICE_API_URL or the option apiUrl.')
  const controller = new AbortController()
  const answer = await scope.deadline
    .within(post(apiUrl, { secret, body: { name: workflow.id, ...call.event }, signal: controller.signal }))
    .finally(() => controller.abort())
  if (!answer) throw failed('The REST API did not answer in time.')
  return toAnswer(answer)
}

interface Post {
  readonly secret: string
  readonly body: unknown
  readonly signal: AbortSignal
}

interface Answer {
  readonly status: number
  readonly text: string
}

async function post(apiUrl: string, { secret, body, signal }: Post): Promise<Answer> {
  try {
    const response = await fetch(`${apiUrl.replace(/\/+$/, '')}/v1/events/trigger`, {
      method: 'POST',
      // A redirect would carry the secret to an address nobody configured.
      redirect: 'manual',
      headers: { authorization: `ApiKey ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    return { status: response.status, text: (await response.text()).slice(0, maxAnswerLength) }
  } catch (error) {
    throw failed(`The REST API could not be reached: ${toThrown(error).message}.`)
  }
}

function toAnswer({ status, text }: Answer): unknown {
  const body = parse(text)
  if (status >= 200 && status < 300 && body !== undefined) return body
  const told = isObject(body) && typeof body['message'] === 'string' ? body['message'] : `status ${status}`
  const own = status >= 400 && status < 500
  throw new CodedError('ApiRequestFailedError', `The REST API refused the trigger: ${told}.`, {
    data: { statusCode: status, message: told },
    ...(own && { status }),
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failed(message: string): CodedError {
  return new CodedError('ApiRequestFailedError', message, { data: { statusCode: 502, message } })
}
