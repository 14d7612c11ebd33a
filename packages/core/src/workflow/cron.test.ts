import { Cron } from 'croner'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import { cron } from './cron.ts'
import { stepKinds } from './steps/step-kinds.ts'

/** Returns whether a schema with the format accepts the expression. */
const isCron = (expression: string): boolean => !('issues' in compileSchema({ format: 'cron' }).check(expression))

/** Returns whether the cron parser accepts the expression and finds a time for it. */
function isMet(expression: string): boolean {
  try {
    return new Cron(expression, { mode: '5-or-6-parts' }).nextRun() !== null
  } catch {
    return false
  }
}

test.each(Object.entries(cron))('%s: %s', (_name, expression) => {
  expect(expression.split(' ')).toHaveLength(5)
  expect(isMet(expression)).toBe(true)
  expect(isCron(expression)).toBe(true)
})

test('uses each name for one expression', () => {
  expect(new Set(Object.values(cron)).size).toBe(Object.values(cron).length)
})

test.each([
  ...[
    '',
    'not a cron',
    '* * * *',
    '* * * * * * *',
    '60 * * * * *',
    'L * * * * *',
    '0 60 * * * *',
    '0 0 0 30 2 *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
  ],
  ...[
    '* * * 13 *',
    '* * * * 8',
    '-5 * * * *',
    '1.5 * * * *',
    '5-1 * * * *',
    '* * * * fri-mon',
    '*/0 * * * *',
    '1/5 * * * *',
  ],
  ...[
    '*-5 * * * *',
    ', * * * *',
    '1,,2 * * * *',
    '0 0 30 2 *',
    '0 0 31 4,6 *',
    '0 0 0 1 0',
    '* * * janu *',
    '@daily',
    'L * * * *',
  ],
])('rejects the cron expression %j', (expression) => expect(isCron(expression)).toBe(false))

test.each([
  '0 0 * jan-MAR mon',
  '0 0 29 2 *',
  '0 0 31 2 1',
  '00 06 01 * *',
  '1-5/2,7 */3 1,15 * 0-7',
  '* * * * * *',
  '*/10 0 9 * * mon-fri',
  '0,59 1-5/2 * 29 2 *',
])('accepts the expression %j', (expression) => expect(isCron(expression)).toBe(true))

test('accepts only expressions that a cron parser accepts', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 62 }).map(String), fc.constantFrom('*', 'jan', 'SUN', '05'))
  const item = fc.oneof(
    value,
    fc.tuple(value, value).map((parts) => parts.join('-')),
    fc
      .tuple(
        fc.oneof(
          fc.constant('*'),
          fc.tuple(value, value).map((parts) => parts.join('-')),
        ),
        value,
      )
      .map((parts) => parts.join('/')),
  )
  const field = fc.oneof(
    fc.constant('*'),
    item,
    fc.array(item, { minLength: 1, maxLength: 2 }).map((items) => items.join(',')),
  )
  fc.assert(
    fc.property(fc.array(field, { minLength: 4, maxLength: 7 }), (fields) => {
      const expression = fields.join(' ')
      if (isCron(expression)) expect([expression, isMet(expression)]).toEqual([expression, true])
    }),
    { numRuns: draws(1000, 20_000) },
  )
})

describe('times are validated', () => {
  const good: [string, unknown, unknown][] = [
    ['digest', stepKinds.digest.output, { amount: 0.5, unit: 'hours' }],
    ['digest by cron', stepKinds.digest.output, { cron: cron.everyMondayAt9, digestKey: 'x' }],
    ['delay of nothing', stepKinds.delay.output, { amount: 0, unit: 'seconds' }],
    ['delay by cron', stepKinds.delay.output, { type: 'timed', cron: cron.everyDayAt9 }],
    ['delay by cron with seconds', stepKinds.delay.output, { cron: '30 0 9 * * *' }],
    ['digest by cron with seconds', stepKinds.digest.output, { cron: '*/5 * * * * *', digestKey: 'x' }],
    ['delay by payload', stepKinds.delay.output, { type: 'dynamic', dynamicKey: 'payload.at' }],
    ['throttle', stepKinds.throttle.output, { type: 'fixed', amount: 1, unit: 'days', threshold: 2 }],
    ['throttle by payload', stepKinds.throttle.output, { type: 'dynamic', dynamicKey: 'payload.window' }],
  ]
  test.each(good)('%s', (_name, schema, value) => {
    expect(compileSchema(schema as Schema).check(value)).toEqual({ value })
  })

  test.each<[string, unknown, unknown, string, RegExp]>([
    ['a digest of nothing', stepKinds.digest.output, { amount: 0, unit: 'days' }, '/amount', /greater than 0/],
    ['a negative delay', stepKinds.delay.output, { amount: -1, unit: 'days' }, '/amount', /at least 0/],
    ['no unit', stepKinds.delay.output, { amount: 1 }, '/unit', /required/],
    [
      'a look-back of nothing',
      stepKinds.digest.output,
      { amount: 1, unit: 'days', lookBackWindow: { amount: 0, unit: 'days' } },
      '/lookBackWindow/amount',
      /greater than 0/,
    ],
    ['an invalid cron', stepKinds.digest.output, { cron: 'not a cron' }, '/cron', /five fields/],
    [
      'a cron of seven fields',
      stepKinds.delay.output,
      { type: 'timed', cron: '0 * * * * * *' },
      '/cron',
      /or six starting/,
    ],
    ['a second there is not', stepKinds.digest.output, { cron: '61 * * * * *' }, '/cron', /six starting with seconds/],
    ['a cron that is no text', stepKinds.delay.output, { cron: 5 }, '/cron', /five fields/],
    [
      'a cron in a regular digest',
      stepKinds.digest.output,
      { type: 'regular', cron: '* * * * *' },
      '/amount',
      /required/,
    ],
    ['a fixed throttle without a window', stepKinds.throttle.output, { type: 'fixed' }, '/amount', /required/],
    [
      'a throttle with half a run',
      stepKinds.throttle.output,
      { type: 'fixed', amount: 1, unit: 'days', threshold: 0.5 },
      '/threshold',
      /integer/,
    ],
  ])('%s', async (_name, schema, value, path, message) => {
    const { issues } = await compileSchema(schema as Schema).check(value)
    expect(issues?.[0]?.path).toBe(path)
    expect(issues?.[0]?.message).toMatch(message)
  })
})
