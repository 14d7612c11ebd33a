import type { JsonObject } from '@trestle/protocol'
import { closed, text } from '../../schema/object-schema.ts'
import type { StepKindRow } from './step-kind.ts'

/** The output of an SMS or tool step's handler. */
export interface TextOutput {
  /** The text of the message. */
  readonly body: string
}

/** The schema of a {@link TextOutput}. */
export const textOutput: JsonObject = closed({ body: text }, ['body'])

/** Sends a text message. */
export const sms: StepKindRow = {
  type: 'sms',
  output: textOutput,
  empty: {},
  channel: 'sms',
}
