import type { ChannelStep } from './signature.ts'
import { type TextOutput, textOutput } from './sms.ts'
import type { StepKindRow } from './step-kind.ts'

/** Calls an operations tool. */
export const tool: StepKindRow<ChannelStep<'tool', TextOutput>> = {
  type: 'tool',
  output: textOutput,
  empty: {},
  channel: 'tool',
}
