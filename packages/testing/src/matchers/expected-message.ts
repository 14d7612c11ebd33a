import type { MessageType, StepName } from '@trestle/protocol'
import type { OutputsByType } from '../report/run-report.ts'
import type { Time } from '../report/time.ts'

/** The kinds of step that send a message: as a workflow writes them, or as they are called on the wire. */
export type Channel = MessageType | StepName<MessageType>

/** The outputs of a channel. */
export type OutputsOf<TChannel extends Channel> = OutputsByType[TChannel extends 'inApp'
  ? 'in_app'
  : Exclude<TChannel, 'inApp'>]

/** Some fields of a value, each with what is expected of it: a value, a regular expression, or a runner's matcher. */
export type Expected<TValue> = TValue extends unknown ? { readonly [TKey in keyof TValue]?: unknown } : never

/** Further expectations of a message, beside its fields. */
export interface MessageOptions {
  /** The step that sends it. */
  readonly stepId?: string | undefined
  /** When it goes out, on the test's clock. */
  readonly at?: Time | undefined
  /** The expected provider overrides, by provider id. */
  readonly providers?: object | undefined
}

/** Further expectations of one or several messages, beside their fields. */
export interface SentOptions extends MessageOptions {
  /** How many messages are to fit, no more and no fewer. @default 1 */
  readonly times?: number | undefined
}

/** One message of a whole run: its channel, and what is expected of it. */
export type ExpectedMessage = {
  [TChannel in Channel]:
    | TChannel
    | readonly [channel: TChannel, expected?: Expected<OutputsOf<TChannel>>, options?: MessageOptions]
}[Channel]
