import type { JsonObject, StepType } from '@trestle/protocol'
import type { ChannelKind } from '../providers/channel-kind.ts'
import type { StepKind } from './kind.ts'
import { chatSchema, emailSchema, inAppResultSchema, inAppSchema, pushSchema, textSchema } from './message-schemas.ts'
import {
  delayResultSchema,
  delaySchema,
  digestResultSchema,
  digestSchema,
  throttleResultSchema,
  throttleSchema,
} from './timing-schemas.ts'

/** The description of a kind of step. */
export interface StepKindRow {
  /** The kind's name on the wire. */
  readonly type: StepType
  /** The shape of what a handler returns; `undefined` where the option `outputSchema` decides. */
  readonly output?: JsonObject
  /** The shape of what later steps see; `undefined` where it is any object, or `outputSchema` decides. */
  readonly result?: JsonObject
  /** The result that later steps see when the step was skipped or canceled. */
  readonly empty: JsonObject
  /** The channel whose providers the step may override. */
  readonly channel?: ChannelKind
  /** The field of the output that is HTML. */
  readonly html?: 'body'
}

/**
 * The kinds of step, a row each.
 *
 * @source Protocol, "Replies" and "Running a step".
 */
export const stepKinds: Readonly<Record<StepKind, StepKindRow>> = {
  email: { type: 'email', output: emailSchema, empty: {}, channel: 'email', html: 'body' },
  sms: { type: 'sms', output: textSchema, empty: {}, channel: 'sms' },
  push: { type: 'push', output: pushSchema, empty: {}, channel: 'push' },
  chat: { type: 'chat', output: chatSchema, empty: {}, channel: 'chat' },
  inApp: {
    type: 'in_app',
    output: inAppSchema,
    result: inAppResultSchema,
    empty: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
    channel: 'inApp',
    html: 'body',
  },
  tool: { type: 'tool', output: textSchema, empty: {}, channel: 'tool' },
  digest: {
    type: 'digest',
    output: digestSchema,
    result: digestResultSchema,
    empty: { events: [], eventCount: 0 },
  },
  delay: { type: 'delay', output: delaySchema, result: delayResultSchema, empty: { duration: 0 } },
  throttle: { type: 'throttle', output: throttleSchema, result: throttleResultSchema, empty: { throttled: false } },
  custom: { type: 'custom', empty: {} },
  httpRequest: { type: 'http_request', empty: {} },
}
