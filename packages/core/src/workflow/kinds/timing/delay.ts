import { closed } from '../../../schema/object-schema.ts'
import type { StepKindRow } from '../step-kind.ts'
import { cronText, flag, payloadPath, type TimeUnit, timeUnit } from './time.ts'

/** The output of a delay step's handler. */
export type DelayOutput =
  | {
      /** A wait of a fixed length. @default inferred from the other fields */
      readonly type?: 'regular' | undefined
      /** The length of the wait in `unit`s; not negative. */
      readonly amount: number
      /** The unit of `amount`. */
      readonly unit: TimeUnit
      /** Whether the end is moved into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }
  | {
      /** A wait that ends at a scheduled time. @default inferred from the other fields */
      readonly type?: 'timed' | undefined
      /** When the wait ends: a cron expression with five fields, or six starting with seconds. */
      readonly cron: string
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }
  | {
      /** A wait whose end is set by the payload. @default inferred from the other fields */
      readonly type?: 'dynamic' | undefined
      /** Path of the payload field that contains the end of the wait. */
      readonly dynamicKey: string
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }

/** The result of a delay for later steps. */
export interface DelayResult {
  /** The length of the wait, in milliseconds. */
  readonly duration: number
}

export const delay: StepKindRow = {
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
