import { closed } from '../../../schema/object-schema.ts'
import type { TimingStep } from '../signature.ts'
import type { StepKindRow } from '../step-kind.ts'
import { cronText, flag, payloadPath, type TimeUnit, timeUnit } from './time.ts'

/** The output of a delay step's handler. */
export type DelayOutput =
  | {
      /** A wait of a fixed length. @default by the other fields */
      readonly type?: 'regular' | undefined
      /** Length of the wait in `unit`s; not negative. */
      readonly amount: number
      /** The unit of `amount`. */
      readonly unit: TimeUnit
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }
  | {
      /** A wait that ends by a schedule. @default by the other fields */
      readonly type?: 'timed' | undefined
      /** When the wait ends: a cron expression with five fields, or six starting with seconds. */
      readonly cron: string
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }
  | {
      /** A wait whose end is in the payload. @default by the other fields */
      readonly type?: 'dynamic' | undefined
      /** Path of the payload field with the end of the wait. */
      readonly dynamicKey: string
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }

/** The result of a delay that later steps see. */
export interface DelayResult {
  /** How long it took, in milliseconds. */
  readonly duration: number
}

export const delay: StepKindRow<TimingStep<DelayOutput, DelayResult>> = {
  type: 'delay',
  output: {
    type: 'object',
    oneOf: [
      closed(
        { type: { const: 'regular' }, amount: { type: 'number', minimum: 0 }, unit: timeUnit, extendToSchedule: flag },
        ['amount', 'unit'],
      ),
      closed({ type: { const: 'timed' }, cron: cronText, extendToSchedule: flag }, ['cron']),
      closed({ type: { const: 'dynamic' }, dynamicKey: payloadPath, extendToSchedule: flag }, ['dynamicKey']),
    ],
  },
  result: closed({ duration: { type: 'number' } }, ['duration']),
  empty: { duration: 0 },
}
