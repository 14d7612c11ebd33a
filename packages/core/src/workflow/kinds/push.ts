import { closed, text } from '../../schema/object-schema.ts'
import type { StepKindRow } from './step-kind.ts'

/** The output of a push step's handler. */
export interface PushOutput {
  /** The title. */
  readonly subject: string
  /** The text. */
  readonly body: string
}

/** Sends a push message. */
export const push: StepKindRow = {
  type: 'push',
  output: closed({ subject: text, body: text }, ['subject', 'body']),
  empty: {},
  channel: 'push',
}
