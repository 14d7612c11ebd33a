import { textOutput } from './sms.ts'
import type { StepKindRow } from './step-kind.ts'

/** Calls an operations tool. */
export const tool: StepKindRow = {
  type: 'tool',
  output: textOutput,
  empty: {},
  channel: 'tool',
}
