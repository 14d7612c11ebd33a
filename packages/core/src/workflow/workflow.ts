import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { InputOf, NoSchema, OutputOf, Schema } from '../schema/schema-types.ts'
import { checkId } from './id.ts'
import type { Preferences } from './preferences.ts'
import type { Awaitable, Step } from './step.ts'

/** What a workflow function is given. */
export interface WorkflowContext<TPayload, TControls, TEnv> {
  /** Starts steps. */
  readonly step: Step
  /** The data of the trigger, checked against the payload schema. */
  readonly payload: TPayload
  /** The recipient. */
  readonly subscriber: Subscriber
  /** The environment's variables. */
  readonly env: TEnv
  /** The workflow's controls: the defaults of its control schema. */
  readonly controls: TControls
  /** Contexts of the run by type, each `{ id, data }`. */
  readonly context: Readonly<Record<string, { readonly id?: string; readonly data?: JsonObject } | undefined>>
  /** Who caused the notification, when the trigger named someone. */
  readonly actor: Subscriber | undefined
  /** Aborts when the call's deadline passes. */
  readonly signal: AbortSignal
}

/** Options of a workflow. */
export interface WorkflowOptions<
  TPayload extends Schema = NoSchema,
  TControls extends Schema = NoSchema,
  TEnv extends Schema = NoSchema,
> {
  /** The shape of the payload; without it the payload passes unchanged. */
  readonly payloadSchema?: TPayload
  /** The shape of the workflow's own controls. */
  readonly controlSchema?: TControls
  /** The shape of the environment's variables. */
  readonly envSchema?: TEnv
  /** Defaults of the recipient's preferences. */
  readonly preferences?: Preferences
  /** Labels. */
  readonly tags?: readonly string[]
  /** Name for people. */
  readonly name?: string
  /** Description for people. */
  readonly description?: string
  /** How urgent the notification is. @default 'none' */
  readonly severity?: 'none' | 'low' | 'medium' | 'high'
}

declare const payloadType: unique symbol

/** A workflow, ready to be mounted. Made by {@link workflow}; plain, frozen data. */
export interface Workflow<TPayload = unknown> {
  /** The id, unique in its bridge. */
  readonly id: string
  /** The function that starts the steps. */
  readonly run: (context: never) => Awaitable<unknown>
  /** The options as they were given. */
  readonly options: WorkflowOptions<Schema, Schema, Schema>
  /** Carries the type of the payload a trigger sends; there is nothing in it at run time. */
  readonly [payloadType]?: TPayload
}

/**
 * Defines a workflow.
 *
 * @param id - Unique in the bridge; letters, digits, `.`, `_`, `-`, at most 128 characters.
 * @param run - Starts the steps. It is run from its start for every call, and a few times on sample data when the
 *   workflow is discovered, so whatever has an effect belongs into a step's handler.
 * @param options - Schemas and what people see.
 * @throws TypeError - The id or an option has the wrong form.
 * @example
 * const orderShipped = workflow('order-shipped', async ({ step, payload }) => {
 *   await step.email('mail', () => ({ subject: 'Shipped', body: `<p>Order ${payload.id}</p>` }))
 * }, { payloadSchema: z.object({ id: z.string() }) })
 */
export function workflow<
  const TPayload extends Schema = NoSchema,
  const TControls extends Schema = NoSchema,
  const TEnv extends Schema = NoSchema,
>(
  id: string,
  run: (context: WorkflowContext<OutputOf<TPayload>, OutputOf<TControls>, OutputOf<TEnv>>) => Awaitable<unknown>,
  options: WorkflowOptions<TPayload, TControls, TEnv> = {},
): Workflow<InputOf<TPayload>> {
  checkId('workflow', id)
  if (typeof run !== 'function') throw new TypeError(`Workflow "${id}": the second argument must be a function.`)
  return Object.freeze({ id, run, options: Object.freeze({ ...options }) as WorkflowOptions<Schema, Schema, Schema> })
}
