import type { To } from '@trestle/api-client'
import type { JsonObject } from '@trestle/protocol'
import type { Awaitable } from '../../base/awaitable.ts'
import { closed, text } from '../../schema/object-schema.ts'
import type { NoSchema, OutputOf, Schema } from '../../schema/schema-types.ts'
import type { PayloadPart } from '../../trigger/trigger-workflow.ts'
import type { OnFailure, ReturnedBy } from './outcome.ts'
import type { HandlerContext, NoOtherFields, ResultOf, StepOptions } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'
import type { TriggerTarget } from './target.ts'

/** The output of the handler of a step that triggers a workflow. */
export interface TriggerOutput<TTarget extends TriggerTarget | string = TriggerTarget | string> {
  /** The workflow, or its id if it belongs to another app. */
  readonly workflow: TTarget
  /** A subscriber id, a subscriber, a topic, or a list of these: up to 100 recipients. */
  readonly to: To | readonly To[]
  /** The payload, by the type of the workflow. @default {} */
  readonly payload?: object | undefined
  /** Overrides by step, channel or provider. */
  readonly overrides?: JsonObject | undefined
}

/** A run that a step triggered. */
export interface ChildRun {
  /** The id of the run. */
  readonly runId: string
  /** Its recipient. */
  readonly subscriberId: string
  /** How it ended. `merged`: a digest of another run has taken its event. */
  readonly status: 'completed' | 'failed' | 'canceled' | 'merged'
}

/** The result of a step that was skipped or has failed: it triggered nothing. */
interface NotTriggered {
  /** `skipped` if nothing was triggered. */
  readonly status: 'skipped'
  /** Null, because nothing was triggered. */
  readonly transactionId: null
}

/** The result of a step that triggers a workflow, for later steps. */
export type TriggerStepResult =
  | NotTriggered
  | {
      /** `triggered`: the service has stored the trigger, and creates the runs. */
      readonly status: 'triggered'
      /** The transaction id of the runs. */
      readonly transactionId: string
    }

/** The result of a step that waits for the runs that it triggered, for later steps. */
export type AwaitedTriggerResult =
  | (NotTriggered & {
      /** No runs. */
      readonly runs: readonly []
    })
  | {
      /** `failed` if a run has failed, or else `canceled` if one was canceled. */
      readonly status: 'completed' | 'failed' | 'canceled'
      /** The transaction id of the runs. */
      readonly transactionId: string
      /** The runs, one per recipient. */
      readonly runs: readonly ChildRun[]
    }

/** Options of a step that triggers a workflow. */
export interface TriggerStepOptions<
  TControls extends Schema = NoSchema,
  TAwait extends boolean = boolean,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** Whether the step ends only when all of its runs have ended. @default false */
  readonly await?: TAwait | undefined
}

/** The type of a payload, with lists that need not be mutable: it is inferred as a constant. */
type ReadonlyInput<TInput> = TInput extends (...args: never) => unknown
  ? TInput
  : { readonly [TKey in keyof TInput]: ReadonlyInput<TInput[TKey]> }

type PayloadFor<TTarget> = TTarget extends TriggerTarget<infer TPayload> ? TPayload : Readonly<Record<string, unknown>>

/** Checks the payload by the type of the workflow. Resolves to an empty type if there is nothing to check. */
type CheckPayload<TGiven, TPayload> = 0 extends 1 & TPayload
  ? unknown
  : [TGiven] extends [undefined]
    ? PayloadPart<TPayload>
    : { readonly payload?: NoOtherFields<TGiven, ReadonlyInput<TPayload>> } & ([TGiven] extends [
        ReadonlyInput<TPayload>,
      ]
        ? unknown
        : PayloadPart<TPayload>)

/** Starts a step that triggers a workflow. */
export type TriggerStep<TDefault extends OnFailure> = <
  const TTarget extends TriggerTarget | string,
  const TPayload extends object | undefined = undefined,
  const TControls extends Schema = NoSchema,
  const TAwait extends boolean = false,
  const TOnFailure extends OnFailure = TDefault,
>(
  id: string,
  handler: (
    controls: OutputOf<TControls>,
    context: HandlerContext,
  ) => Awaitable<
    Omit<TriggerOutput<TTarget>, 'payload'> & {
      /** The payload, by the type of the workflow. @default {} */
      readonly payload?: TPayload
    } & CheckPayload<TPayload, PayloadFor<TTarget>>
  >,
  options?: TriggerStepOptions<TControls, TAwait, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, ResultOf<TAwait extends true ? AwaitedTriggerResult : TriggerStepResult>>>

const ends = ['completed', 'failed', 'canceled']
const status = (names: readonly string[]): JsonObject => ({ type: 'string', enum: names })

/** Triggers a workflow for each recipient. */
export const trigger: StepKindRow = {
  type: 'trigger',
  output: closed(
    {
      workflow: { type: 'string', minLength: 1 },
      to: { type: ['string', 'object', 'array'], minLength: 1, minItems: 1, maxItems: 100 },
      payload: { type: 'object' },
      overrides: { type: 'object' },
    },
    ['workflow', 'to'],
  ),
  result: closed({ status: status(['triggered']), transactionId: text }, ['status', 'transactionId']),
  awaited: closed(
    {
      status: status(ends),
      transactionId: text,
      runs: {
        type: 'array',
        items: closed({ runId: text, subscriberId: text, status: status([...ends, 'merged']) }, [
          'runId',
          'subscriberId',
          'status',
        ]),
      },
    },
    ['status', 'transactionId', 'runs'],
  ),
  empty: { status: 'skipped', transactionId: null, runs: [] },
}
