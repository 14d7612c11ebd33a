import type { JsonObject } from '@trestle/protocol'
import { closed, text } from '../../../schema/object-schema.ts'
import type { StepKindRow } from '../step-kind.ts'
import { above0, cronText, flag, type TimeUnit, timeUnit } from './time.ts'

/** The output of a digest step's handler: a window of a fixed length, or one that ends at a scheduled time. */
export type DigestOutput =
  | {
      /** A window of a fixed length. @default inferred from the other fields */
      readonly type?: 'regular' | undefined
      /** The length of the window in `unit`s; above 0. */
      readonly amount: number
      /** The unit of `amount`. */
      readonly unit: TimeUnit
      /** Groups events by this value. @default one group per recipient */
      readonly digestKey?: string | undefined
      /**
       * Lets an event through immediately, as the only one in its digest, if no other event arrived within this time
       * before it.
       */
      readonly lookBackWindow?:
        | {
            /** The length of the time in `unit`s; above 0. */
            readonly amount: number
            /** The unit of `amount`. */
            readonly unit: TimeUnit
          }
        | undefined
      /** Whether the end is moved into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }
  | {
      /** A window that ends at a scheduled time. @default inferred from the other fields */
      readonly type?: 'timed' | undefined
      /** When the window ends: a cron expression with five fields, or six starting with seconds. */
      readonly cron: string
      /** Groups events by this value. @default one group for each recipient */
      readonly digestKey?: string | undefined
      /** Moves the end into the recipient's schedule. @default false */
      readonly extendToSchedule?: boolean | undefined
    }

/** A trigger that a digest has collected. */
export interface DigestEvent<TPayload = Readonly<Record<string, unknown>>> {
  /** The id of the trigger. */
  readonly id: string
  /** When the trigger arrived, ISO 8601. */
  readonly time: string
  /**
   * The trigger's payload, validated and transformed by the workflow's payload schema. A payload that does not match
   * the schema, for example because the schema has changed since, is unchanged.
   */
  readonly payload: TPayload
}

/** The result of a digest for later steps. */
export interface DigestResult<TPayload = Readonly<Record<string, unknown>>> {
  /** The collected triggers, oldest first. Each call has its own copy of the list, which can be sorted and modified. */
  readonly events: DigestEvent<TPayload>[]
  /** The number of events; absent if the service does not count them. */
  readonly eventCount?: number
}

/** Collects triggers during a time window. */
export const digest: StepKindRow = {
  type: 'digest',
  output: {
    type: 'object',
    oneOf: [
      closed(
        {
          type: { const: 'regular' },
          amount: above0,
          unit: timeUnit,
          digestKey: text,
          lookBackWindow: closed({ amount: above0, unit: timeUnit }, ['amount', 'unit']),
          extendToSchedule: flag,
        },
        ['amount', 'unit'],
      ),
      closed({ type: { const: 'timed' }, cron: cronText, digestKey: text, extendToSchedule: flag }, ['cron']),
    ],
  },
  result: closed({ events: { type: 'array', items: eventSchema() }, eventCount: { type: 'number' } }, ['events']),
  empty: { events: [], eventCount: 0 },
}

function eventSchema(): JsonObject {
  const time = { type: 'string', format: 'date-time' }
  return closed({ id: text, time, payload: { type: 'object' } }, ['id', 'time', 'payload'])
}
