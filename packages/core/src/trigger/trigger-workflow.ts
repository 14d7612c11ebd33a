import type { ContextMap, To, TriggerResult } from '@trestle/api-client'
import type { EventsClient } from '@trestle/api-client/events'
import { CodedError, type Issue, isObject, type JsonObject } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import { compileSchema, isStandard } from '../schema/compile-schema.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import { resolveAccount } from './account.ts'
import { apiOf, type CallSettings, toCallOptions } from './create-api.ts'

/** The payload of a trigger; optional if the schema requires no field. */
export type PayloadPart<TPayload> =
  Record<string, never> extends TPayload
    ? {
        /** The payload of the run, by the type of the workflow. */
        readonly payload?: TPayload | undefined
      }
    : {
        /** The payload of the run, by the type of the workflow. */
        readonly payload: TPayload
      }

/** The body of a trigger. */
export type TriggerRequest<TPayload> = {
  /** A subscriber id, a subscriber, a topic, or a list of these. */
  readonly to: To | readonly To[]
  /**
   * The caller's id for the transaction. Of several triggers with the same id, only the first creates runs. It does not
   * replace the idempotency key.
   */
  readonly transactionId?: string | undefined
  /** Overrides by step, channel or provider. */
  readonly overrides?: JsonObject | undefined
  /** The person who caused the notification. */
  readonly actor?: string | { readonly subscriberId: string } | undefined
  /** Contexts by type: an id, or `{ id, data }`. */
  readonly context?: ContextMap | undefined
} & PayloadPart<TPayload>

/** The account settings of a trigger, and how to abort it. */
export type TriggerOptions = CallSettings

/** A trigger that the service accepted. */
export interface Triggered extends TriggerResult {
  /**
   * Cancels the run's waiting steps.
   *
   * @returns Whether anything was canceled.
   * @throws TypeError - The run has no transaction id.
   */
  cancel(): Promise<boolean>
}

type Body = Parameters<EventsClient['events']['trigger']>[0]['body']

interface Source {
  readonly id: string
  readonly options: { readonly payloadSchema?: Schema | undefined }
}

const compiled = new WeakMap<Source['options'], CompiledSchema>()

/**
 * Triggers a workflow through the service's REST API.
 *
 * @param request - Recipients and payload; the payload is validated before anything is sent.
 * @throws CodedError - `WorkflowPayloadInvalidError`, `MissingSecretKeyError`, `ApiRequestFailedError`.
 * @throws ApiError - The API returned an error or could not be reached.
 * @source service-api.md#triggers
 */
export async function triggerWorkflow(
  source: Source,
  request: TriggerRequest<unknown>,
  options: TriggerOptions = {},
): Promise<Triggered> {
  const body = await toBody(source, request)
  const api = await apiOf({ ...options, ...resolveAccount(source.options, options) })
  const { data } = await api.events.trigger({ body }, toCallOptions(options))
  return toTriggered(api, data)
}

/**
 * Triggers a workflow many times. More than 100 requests are sent in chunks, each with its own key.
 *
 * @param requests - The triggers; all payloads are validated before anything is sent.
 * @returns The results, in the order of the requests.
 * @throws CodedError - As for one trigger; paths start with the position of the request.
 * @throws ApiError - `BulkFailed` lists which chunks were sent.
 */
export async function triggerWorkflowBulk(
  source: Source,
  requests: readonly TriggerRequest<unknown>[],
  options: TriggerOptions = {},
): Promise<readonly Triggered[]> {
  const events: Body[] = []
  for (const [index, request] of requests.entries()) events.push(await toBody(source, request, `/${index}`))
  const api = await apiOf({ ...options, ...resolveAccount(source.options, options) })
  const { data } = await api.events.triggerBulk({ body: { events } }, toCallOptions(options))
  return data.map((result) => toTriggered(api, result))
}

function toTriggered(api: EventsClient, result: TriggerResult): Triggered {
  return {
    ...result,
    async cancel() {
      const { transactionId } = result
      if (transactionId === undefined) throw new TypeError('This run has no transaction id, so it cannot be canceled.')
      return (await api.events.cancel({ transactionId })).data
    },
  }
}

async function toBody(source: Source, request: TriggerRequest<unknown>, at = ''): Promise<Body> {
  const { payload = {} } = request
  const issues = await findPayloadIssues(source, payload)
  if (issues) throw invalid(source.id, at, issues)
  // Sends only known fields, and the payload unchanged: the bridge fills in defaults itself.
  const { to, transactionId, overrides, actor, context } = request
  return {
    name: source.id,
    to,
    payload: payload as JsonObject,
    ...(transactionId !== undefined && { transactionId }),
    ...(overrides && { overrides }),
    ...(actor !== undefined && { actor }),
    ...(context && { context }),
  }
}

/**
 * Replaces the workflow in the output of a step with its id, and validates the payload by its schema.
 *
 * @param returned - What the handler returned, which may be invalid.
 * @param isSample - Whether the payload was created from sample data, and is not validated.
 */
export async function toTriggerOutput(
  returned: unknown,
  isSample: boolean,
): Promise<{ readonly value: unknown; readonly issues?: readonly Issue[] | undefined }> {
  const workflow = isObject(returned) ? returned['workflow'] : undefined
  if (!isObject(returned) || !isSource(workflow)) return { value: returned }
  const issues = isSample ? undefined : await findPayloadIssues(workflow, returned['payload'] ?? {})
  return {
    value: { ...returned, workflow: workflow.id },
    issues: issues?.map(({ path, message }) => ({ path: `/payload${path}`, message })),
  }
}

function isSource(value: unknown): value is Source & Record<string, unknown> {
  return isObject(value) && typeof value['id'] === 'string' && isObject(value['options'])
}

async function findPayloadIssues(source: Source, given: unknown): Promise<readonly Issue[] | undefined> {
  const { payloadSchema } = source.options
  let payload = given
  // A JSON Schema describes what is sent: without undefined fields, and with dates as text.
  if (payloadSchema !== undefined && !isStandard(payloadSchema)) {
    try {
      payload = JSON.parse(JSON.stringify(given))
    } catch (error) {
      return [{ path: '', message: `JSON cannot represent the payload: ${toThrown(error).message}` }]
    }
  }
  if (!isObject(payload)) return [{ path: '', message: 'the payload must be an object' }]
  const schema = compiled.get(source.options) ?? compileSchema(payloadSchema)
  compiled.set(source.options, schema)
  return (await schema.check(payload)).issues
}

function invalid(workflowId: string, at: string, issues: readonly Issue[]): CodedError {
  const data = issues.map(({ path, message }) => ({ path: `${at}${path}`, message }))
  return new CodedError(
    'WorkflowPayloadInvalidError',
    endSentence(
      `The payload does not match the schema of workflow "${workflowId}". ${data[0]?.path}: ${data[0]?.message}`,
    ),
    { data },
  )
}
