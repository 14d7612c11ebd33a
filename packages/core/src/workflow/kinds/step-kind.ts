import type { Issue, JsonObject, StepType } from '@trestle/protocol'
import type { ChannelKind } from '../providers/channel-kind.ts'

/**
 * A kind of step: its wire name, schemas and behavior.
 *
 * @source bridge-protocol.md#replies, bridge-protocol.md#running-a-step
 */
export interface StepKindRow {
  /** The name of the kind in the protocol. */
  readonly type: StepType
  /** The schema of the handler's output; `undefined` if the option `outputSchema` sets it. */
  readonly output?: JsonObject
  /** The schema of the result for later steps; `undefined` if it can be any object, or is set by `outputSchema`. */
  readonly result?: JsonObject
  /** The schema of the result with the option `await`; `undefined` if steps of the kind do not have the option. */
  readonly awaited?: JsonObject
  /** The result for later steps if the step was skipped or canceled. */
  readonly empty: JsonObject
  /** The channel whose providers the step can override. */
  readonly channel?: ChannelKind
  /** The field of the output that is HTML. */
  readonly html?: 'body'
  /** Returns an issue in a handler's result that its schema cannot detect because JSON omits it. */
  readonly findFault?: (returned: unknown) => Issue | undefined
}
