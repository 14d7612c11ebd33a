import type { MessageType, StepName } from '@trestle/protocol'
import type { OutputsByType } from '../report/run-report.ts'
import type { Time } from '../report/time.ts'

/** The kinds of step that send a message, as written in a workflow or as named on the wire. */
export type Channel = MessageType | StepName<MessageType>

/** The outputs of a channel. */
export type OutputsOf<TChannel extends Channel> = OutputsByType[TChannel extends 'inApp'
  ? 'in_app'
  : Exclude<TChannel, 'inApp'>]

/** Some expected fields of a value: values, regular expressions, or matchers of the runner. */
export type Expected<TValue> = TValue extends unknown ? { readonly [TKey in keyof TValue]?: unknown } : never

/** Expectations of a message other than its fields. */
export interface MessageOptions {
  /** The step that sends it. */
  readonly stepId?: string | undefined
  /** When it is sent, on the test's clock. */
  readonly at?: Time | undefined
  /** The expected provider overrides, by provider id. */
  readonly providers?: object | undefined
}

/** Expectations of one or several messages other than their fields. */
export interface SentOptions extends MessageOptions {
  /** The exact number of matching messages. @default 1 */
  readonly times?: number | undefined
}

/** One expected message of a whole run: its channel, and its fields. */
export type ExpectedMessage = {
  [TChannel in Channel]:
    | TChannel
    | readonly [channel: TChannel, expected?: Expected<OutputsOf<TChannel>>, options?: MessageOptions]
}[Channel]
