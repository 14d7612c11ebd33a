import type { Issue, JsonObject, StepType } from '@trestle/protocol'
import type { ChannelKind } from '../providers/channel-kind.ts'

declare const call: unique symbol

/**
 * A kind of step: its wire name, schemas and behavior. The type parameter is the signature of its method of `step`.
 *
 * @source bridge-protocol.md#replies, bridge-protocol.md#running-a-step
 */
export interface StepKindRow<TCall = unknown> {
  /** The kind's name on the wire. */
  readonly type: StepType
  /** The schema of the handler's output; `undefined` if the option `outputSchema` sets it. */
  readonly output?: JsonObject
  /** The schema of the result for later steps; `undefined` if it is any object, or set by `outputSchema`. */
  readonly result?: JsonObject
  /** The result that later steps see when the step was skipped or canceled. */
  readonly empty: JsonObject
  /** The channel whose providers the step may override. */
  readonly channel?: ChannelKind
  /** The field of the output that is HTML. */
  readonly html?: 'body'
  /** Returns a fault of what a handler returned that its schema cannot find, because JSON does not carry it. */
  readonly findFault?: (returned: unknown) => Issue | undefined
  /** Holds the signature type; it does not exist at run time. */
  readonly [call]?: TCall
}

/** The signature of a kind's method of `step`. */
export type CallOf<TRow> = TRow extends StepKindRow<infer TCall> ? TCall : never
