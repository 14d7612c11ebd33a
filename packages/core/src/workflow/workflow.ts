import { isObject, type JsonObject, type Subscriber } from '@trestle/protocol'
import type { Awaitable } from '../base/awaitable.ts'
import { checkOptions, type OptionRule, oneOf, optionRules } from '../base/check-options.ts'
import { lazy } from '../base/lazy.ts'
import type { InputOf, NoSchema, OutputOf, Schema } from '../schema/schema-types.ts'
import { withRequestKey } from '../trigger/request-key.ts'
import type { Triggered, TriggerOptions, TriggerRequest } from '../trigger/trigger-workflow.ts'
import { type CancelOn, cancelOnRule } from './cancel-on.ts'
import { withHome } from './home.ts'
import type { FailureOptions, OnFailure } from './kinds/outcome.ts'
import { type RetryOptions, retryRules } from './kinds/retries.ts'
import type { TriggerTarget } from './kinds/target.ts'
import { isPreferences, type Preferences, preferencesForm } from './preferences.ts'
import { checkId } from './steps/check-id.ts'
import type { Step } from './steps/step-kinds.ts'
import { failureRules } from './steps/step-outcome.ts'

/** The argument of a workflow function. */
export interface WorkflowContext<TPayload, TControls, TEnv, in out TOnFailure extends OnFailure = 'fail'> {
  readonly step: Step<TPayload, TOnFailure>
  /** The data of the trigger, validated with the payload schema. */
  readonly payload: TPayload
  readonly subscriber: Subscriber
  /** The environment's variables. */
  readonly env: TEnv
  /** The workflow's controls, which are the defaults of its control schema. */
  readonly controls: TControls
  /** The run's contexts by type, each as `{ id, data }`. */
  readonly context: Readonly<Record<string, { readonly id?: string; readonly data?: JsonObject } | undefined>>
  /** The person who caused the notification, if the trigger has an actor. */
  readonly actor: Subscriber | undefined
  /** Aborts when the call's deadline passes. */
  readonly signal: AbortSignal
}

/** Data for discovery and previews of a workflow; missing data is generated. */
export interface WorkflowSample<TPayload = unknown> {
  /** The payload, as a trigger sends it. */
  readonly payload?: TPayload | undefined
  /** Fields of the recipient. */
  readonly subscriber?: Partial<Subscriber> | undefined
  /** The environment's variables. */
  readonly env?: JsonObject | undefined
  /** Step results, by step id. */
  readonly results?: Readonly<Record<string, JsonObject>> | undefined
}

/** Options of a workflow. */
export interface WorkflowOptions<
  TPayload extends Schema = NoSchema,
  TControls extends Schema = NoSchema,
  TEnv extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends RetryOptions,
    FailureOptions<TOnFailure> {
  /** The shape of the payload; without it, the payload is passed unchanged. */
  readonly payloadSchema?: TPayload | undefined
  /** The shape of the workflow's own controls. */
  readonly controlSchema?: TControls | undefined
  /** The shape of the environment's variables. */
  readonly envSchema?: TEnv | undefined
  /** Data for discovery and previews: provide a sample for each step that depends on data. @default generated */
  readonly samples?: readonly WorkflowSample<InputOf<TPayload>>[] | undefined
  /** The default preferences of recipients. */
  readonly preferences?: Preferences | undefined
  /**
   * Events that cancel the unfinished steps of a run: an emitted event, or a list of up to 10. An event with a recipient
   * cancels only their runs.
   *
   * @default none
   */
  readonly cancelOn?: CancelOn<InputOf<TPayload>> | readonly CancelOn<InputOf<TPayload>>[] | undefined
  /** Labels. */
  readonly tags?: readonly string[] | undefined
  /** The display name. */
  readonly name?: string | undefined
  /** The description for display. */
  readonly description?: string | undefined
  /** How urgent the notification is. @default 'none' */
  readonly severity?: 'none' | 'low' | 'medium' | 'high' | undefined
}

const triggering = lazy(() => import('../trigger/trigger-workflow.ts'))
// Each sample costs a discovery run.
const maxSamples = 16

const optionsOfWorkflow: Readonly<Record<keyof WorkflowOptions, OptionRule>> = {
  ...retryRules,
  ...failureRules,
  // Schemas are checked when they are compiled, with a message that names the path.
  payloadSchema: optionRules.anything,
  controlSchema: optionRules.anything,
  envSchema: optionRules.anything,
  samples: { fits: isSamples, form: 'a list of objects with payload, subscriber, env and results' },
  preferences: { fits: isPreferences, form: preferencesForm },
  cancelOn: cancelOnRule,
  tags: optionRules.texts,
  name: optionRules.text,
  description: optionRules.text,
  severity: oneOf('none', 'low', 'medium', 'high'),
}

const sampleFields: readonly string[] = ['payload', 'subscriber', 'env', 'results'] satisfies (keyof WorkflowSample)[]

function isSamples(value: unknown): boolean {
  const isSample = (one: unknown): boolean =>
    isObject(one) && Object.keys(one).every((key) => sampleFields.includes(key))
  return Array.isArray(value) && value.length <= maxSamples && value.every(isSample)
}

/** A workflow for a bridge, with any payload type. */
export interface WorkflowDefinition {
  /** The id, which must be unique in its bridge. */
  readonly id: string
  /** The function that starts the steps. */
  readonly run: (context: never) => Awaitable<unknown>
  /** The original options. */
  readonly options: WorkflowOptions<Schema, Schema, Schema>
}

/** A workflow that can be mounted. Created by {@link workflow}; plain, frozen data. */
// biome-ignore lint/suspicious/noExplicitAny: without an argument it stands for any workflow, whose triggers take any payload.
export interface Workflow<TPayload = any> extends WorkflowDefinition, TriggerTarget<TPayload> {
  /**
   * Triggers the workflow through the service's REST API. Only call it on a server.
   *
   * @param request - Recipients and payload; the payload is validated before anything is sent.
   * @param options - Address, secret and idempotency key.
   *   @default those of the bridge the workflow is mounted in, else SERVICE_API_URL and SERVICE_SECRET_KEY
   * @throws CodedError - `WorkflowPayloadInvalidError`, `MissingSecretKeyError`, `ApiRequestFailedError`.
   * @throws ApiError - The API returned an error or could not be reached.
   */
  trigger(request: TriggerRequest<TPayload>, options?: TriggerOptions): Promise<Triggered>
  /**
   * Triggers the workflow many times; more than 100 requests are sent in chunks.
   *
   * @param requests - The requests, one per trigger.
   * @param options - As for one trigger.
   * @throws CodedError - As for one trigger.
   * @throws ApiError - `BulkFailed` lists which chunks were sent.
   */
  triggerBulk(requests: readonly TriggerRequest<TPayload>[], options?: TriggerOptions): Promise<readonly Triggered[]>
}

/**
 * Defines a workflow.
 *
 * @param id - Unique in the bridge; 1 to 255 characters without control characters.
 * @param run - The workflow function. It runs from the start for every call, and a few times on sample data during
 *   discovery, so side effects belong in step handlers.
 * @param options - Schemas and display texts.
 * @throws TypeError - The id or an option is invalid.
 * @example
 * const orderShipped = workflow('order-shipped', async ({ step, payload }) => {
 *   await step.email('mail', () => ({ subject: 'Shipped', body: `<p>Order ${payload.id}</p>` }))
 * }, { payloadSchema: z.object({ id: z.string() }) })
 */
export function workflow<
  const TPayload extends Schema = NoSchema,
  const TControls extends Schema = NoSchema,
  const TEnv extends Schema = NoSchema,
  const TOnFailure extends OnFailure = 'fail',
>(
  id: string,
  run: (
    context: WorkflowContext<OutputOf<TPayload>, OutputOf<TControls>, OutputOf<TEnv>, TOnFailure>,
  ) => Awaitable<unknown>,
  options: WorkflowOptions<TPayload, TControls, TEnv, TOnFailure> = {},
): Workflow<InputOf<TPayload>> {
  checkId('workflow', id)
  if (typeof run !== 'function') throw new TypeError(`Workflow "${id}": the second argument must be a function.`)
  checkOptions(`Workflow "${id}"`, options, optionsOfWorkflow)
  const source = { id, options: Object.freeze({ ...options }) as WorkflowOptions<Schema, Schema, Schema> }
  return Object.freeze(
    withHome({
      ...source,
      run,
      async trigger(request: TriggerRequest<never>, settings: TriggerOptions = {}) {
        const options = withRequestKey(settings)
        return (await triggering()).triggerWorkflow(source, request, options)
      },
      async triggerBulk(requests: readonly TriggerRequest<never>[], settings: TriggerOptions = {}) {
        const options = withRequestKey(settings)
        return (await triggering()).triggerWorkflowBulk(source, requests, options)
      },
    }),
  )
}
