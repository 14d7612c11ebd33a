import { closed, text } from '../../../schema/object-schema.ts'
import type { StepKindRow } from '../step-kind.ts'
import { above0, payloadPath } from './time.ts'

/** The output of a throttle step's handler. */
export interface ThrottleOutput {
  /** Whether the window has a fixed length, or is set by the payload. */
  readonly type: 'fixed' | 'dynamic'
  /** The length of the window in `unit`s, for `fixed`; above 0. */
  readonly amount?: number | undefined
  /** The unit of `amount`, for `fixed`. */
  readonly unit?: 'minutes' | 'hours' | 'days' | undefined
  /** Path of the payload field that contains the window, for `dynamic`. */
  readonly dynamicKey?: string | undefined
  /** The maximum number of runs in a window. @default 1 */
  readonly threshold?: number | undefined
  /** Counts runs separately for each value. */
  readonly throttleKey?: string | undefined
}

/** The result of a throttle for later steps. */
export interface ThrottleResult {
  /** Whether this run was throttled. */
  readonly throttled: boolean
  /** The number of runs in the window so far. */
  readonly executionCount?: number
  /** The maximum number of runs in the window. */
  readonly threshold?: number
  /** When the window started, ISO 8601. */
  readonly windowStart?: string
}

const counted = { threshold: { type: 'integer', minimum: 1 }, throttleKey: text }

/** Limits how often runs continue. */
export const throttle: StepKindRow = {
  type: 'throttle',
  output: {
    type: 'object',
    oneOf: [
      closed({ type: { const: 'fixed' }, amount: above0, unit: { enum: ['minutes', 'hours', 'days'] }, ...counted }, [
        'type',
        'amount',
        'unit',
      ]),
      closed({ type: { const: 'dynamic' }, dynamicKey: payloadPath, ...counted }, ['type', 'dynamicKey']),
    ],
  },
  result: closed(
    {
      throttled: { type: 'boolean' },
      executionCount: { type: 'number' },
      threshold: { type: 'number' },
      windowStart: { type: 'string', format: 'date-time' },
    },
    ['throttled'],
  ),
  empty: { throttled: false },
}
