import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { missedOf } from './missed-steps.fixture.ts'

describe.each(['schema', 'no schema'])('a number that is worked out of one of the data: %s', (kind) => {
  const schema = kind === 'schema' ? z.object({ n: z.number(), whole: z.int().min(0) }) : undefined

  it.each([
    ['const HOUR = 60 * 60 * 1000; const isMet = payload.n > 2 * HOUR'],
    ['const DAY = 86400 * 1000, WEEK = 7 * DAY; const isMet = payload.n > WEEK * 2'],
    ['const isMet = payload.n > 2 ** 20'],
    ['const isMet = Math.round(payload.n * 100) >= 80 && payload.n < 0.9'],
    ['const isMet = payload.n / 100 > 50 && payload.n / 100 < 60'],
    ['const isMet = payload.n / 60 === 5'],
    ['const isMet = Math.floor(payload.n / 1000) === 90'],
    ['const celsius = ((payload.n - 32) * 5) / 9; const isMet = celsius > 38 && celsius < 42'],
    ['const isMet = 100 - payload.n * 2 < 5 && payload.n < 60'],
    ['const isMet = payload.whole * 4 > 10 && payload.whole < 5'],
  ])('%s', async (body) => {
    expect(await missedOf(`${body}; if (isMet) go('a'); else go('b')`, ['a', 'b'], schema)).toEqual([])
  })
})

it('is found for any conversion, of a range in its units', async () => {
  const factor = fc.constantFrom('* 100', '/ 100', '/ 60 / 60', '* (5 / 9)', '/ DAY', '* 1.19', '+ 40', '- 32', '* -3')
  await fc.assert(
    fc.asyncProperty(
      fc.array(factor, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -500, max: 5000 }),
      async (all, low) => {
        const made = all.reduce((inner, next) => `(${inner} ${next})`, 'payload.n')
        const body = `const DAY = 24 * 60 * 60 * 1000; const m = ${made}; if (m > ${low} && m < ${low + 2}) go('a'); else go('b')`
        expect(await missedOf(body, ['a', 'b'], z.object({ n: z.number() })), body).toEqual([])
      },
    ),
    { numRuns: 40 },
  )
})
