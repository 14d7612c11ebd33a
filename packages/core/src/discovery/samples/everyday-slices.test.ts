import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, sidesOf, withAndWithout } from './everyday.fixture.ts'

const payloadSchema = z.object({ code: z.string() })

/** What is cut out of a text is compared. */
const conditions: readonly Condition[] = [
  ({ payload }) => payload.code.slice(2, 4) === 'DE',
  ({ payload }) => payload.code.substring(0, 3) === 'ORD',
  ({ payload }) => Number(payload.code.slice(4)) > 500,
  ({ payload }) => payload.code.slice(-2) === '99',
  ({ payload }) => payload.code.charAt(3) === 'X',
  ({ payload }) => Number.parseInt(payload.code.substr(3, 2), 10) >= 50,
  ({ payload }) => payload.code.slice(5, 10) === '12-24',
  ({ payload }) => {
    const hour = Number(payload.code.slice(11, 13))
    return hour >= 22 || hour < 6
  },
  ({ payload }) => {
    const hour = +payload.code.slice(11, 13)
    return hour >= 9 && hour < 17
  },
  ({ payload }) => {
    const prefix = payload.code.slice(0, payload.code.indexOf('-'))
    return prefix === 'INV'
  },
  ({ payload }) => {
    const ending = payload.code.slice(payload.code.lastIndexOf('.'))
    return ['.png', '.jpg'].includes(ending)
  },
  ({ payload }) => payload.code.substring(payload.code.lastIndexOf('/') + 1) === 'final',
]

test.each(withAndWithout(conditions, payloadSchema))('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
