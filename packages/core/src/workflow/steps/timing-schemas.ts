import type { JsonObject } from '@trestle/protocol'
import { closed, text } from '../../schema/object-schema.ts'

const unit = { enum: ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] }
const above0 = { type: 'number', exclusiveMinimum: 0 }
const count = { type: 'integer', minimum: 1 }
const boolean = { type: 'boolean' }
const cron = {
  type: 'string',
  format: 'cron',
  errorMessage:
    'must be a cron expression of five fields (minute, hour, day of month, month, day of week) like "0 9 * * 1-5"',
}

/** The shape of a digest's window. */
export const digestSchema: JsonObject = {
  type: 'object',
  oneOf: [
    closed(
      {
        type: { const: 'regular' },
        amount: above0,
        unit,
        digestKey: text,
        lookBackWindow: closed({ amount: above0, unit }, ['amount', 'unit']),
        extendToSchedule: boolean,
      },
      ['amount', 'unit'],
    ),
    closed({ type: { const: 'timed' }, cron, digestKey: text, extendToSchedule: boolean }, ['cron']),
  ],
}

/** The result of a digest that later steps see. */
export const digestResultSchema: JsonObject = closed(
  {
    events: {
      type: 'array',
      items: closed({ id: text, time: { type: 'string', format: 'date-time' }, payload: { type: 'object' } }, [
        'id',
        'time',
        'payload',
      ]),
    },
    eventCount: { type: 'number' },
  },
  ['events'],
)

/** The shape of a delay. */
export const delaySchema: JsonObject = {
  type: 'object',
  oneOf: [
    closed({ type: { const: 'regular' }, amount: { type: 'number', minimum: 0 }, unit, extendToSchedule: boolean }, [
      'amount',
      'unit',
    ]),
    closed({ type: { const: 'timed' }, cron, extendToSchedule: boolean }, ['cron']),
    closed({ type: { const: 'dynamic' }, dynamicKey: { type: 'string', minLength: 1 }, extendToSchedule: boolean }, [
      'dynamicKey',
    ]),
  ],
}

/** The result of a delay that later steps see; the duration in milliseconds. */
export const delayResultSchema: JsonObject = closed({ duration: { type: 'number' } }, ['duration'])

const throttled = { threshold: count, throttleKey: text }

/** The shape of a throttle. */
export const throttleSchema: JsonObject = {
  type: 'object',
  oneOf: [
    closed({ type: { const: 'fixed' }, amount: above0, unit: { enum: ['minutes', 'hours', 'days'] }, ...throttled }, [
      'type',
      'amount',
      'unit',
    ]),
    closed({ type: { const: 'dynamic' }, dynamicKey: { type: 'string', minLength: 1 }, ...throttled }, [
      'type',
      'dynamicKey',
    ]),
  ],
}

/** The result of a throttle that later steps see. */
export const throttleResultSchema: JsonObject = closed(
  {
    throttled: { type: 'boolean' },
    executionCount: { type: 'number' },
    threshold: { type: 'number' },
    windowStart: { type: 'string', format: 'date-time' },
  },
  ['throttled'],
)
