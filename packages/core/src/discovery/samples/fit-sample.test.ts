import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { ask } from '../../call-bridge.fixture.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { workflow } from '../../workflow/workflow.ts'
import { toTextOfPattern } from './patterns/text-of-pattern.ts'
import { toSample } from './values/sample.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schemas are of several libraries.
type Any = any

const date = z.coerce.date()
const year = ({ due }: Any): unknown => due.getUTCFullYear()
/** A workflow that uses what a schema makes of the payload outside of its handler. */
const using = (payloadSchema: Any, use: (payload: Any) => unknown): ReturnType<typeof workflow> =>
  workflow(
    'w',
    async ({ step, payload }: Any) => {
      const used = use(payload)
      await step.custom('show', () => ({ used }))
    },
    { payloadSchema },
  )

describe('a sample is varied until it fits its schema', () => {
  test.each<[string, Any, (payload: Any) => unknown]>([
    ['startsWith', z.object({ id: z.string().startsWith('cus_'), due: date }), year],
    ['includes', z.object({ id: z.string().includes('@'), due: date }), year],
    ['endsWith', z.object({ id: z.string().endsWith('.pdf'), due: date }), year],
    ['uppercase', z.object({ id: z.string().uppercase(), due: date }), year],
    ['several rules', z.object({ id: z.string().startsWith('cus_').min(12).regex(/\d$/), due: date }), year],
    ['a pattern', z.object({ id: z.string().regex(/^[A-Z]{2}\d{2}(?:-\w+)?$/), due: date }), year],
    ['a time', z.object({ at: z.iso.time(), due: date }), year],
    ['a least date', z.object({ due: z.coerce.date().min(new Date('2030-01-01')) }), year],
    ['a latest date', z.object({ due: z.coerce.date().max(new Date('2001-01-01')) }), year],
    ['an order of dates', z.object({ from: date, due: date }).refine((p) => p.due > p.from), year],
    ['the other order', z.object({ from: date, due: date }).refine((p) => p.due < p.from), year],
    [
      'an order of numbers',
      z.object({ low: z.number(), high: z.number(), due: date }).refine((p) => p.high > p.low),
      year,
    ],
    ['a repetition', z.object({ a: z.string(), b: z.string(), due: date }).refine((p) => p.a === p.b), year],
    ['a length of a list', z.object({ list: z.array(z.string()).refine((l) => l.length >= 3), due: date }), year],
    ['a check of a number', z.object({ n: z.number().refine((n) => n > 500), due: date }), year],
    ['Zod 3', z3.object({ id: z3.string().regex(/^\d+$/), due: z3.coerce.date().min(new Date('2030-01-01')) }), year],
    [
      'Valibot',
      v.object({
        id: v.pipe(v.string(), v.regex(/^\d+$/)),
        due: v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.transform((at) => new Date(at)),
        ),
      }),
      year,
    ],
    ['dates of ArkType', type({ due: 'string.date.parse' }), year],
    ['numbers of ArkType', type({ n: 'string.numeric.parse' }), ({ n }) => n.toFixed()],
    ['an asynchronous check', z.object({ id: z.string().refine(async (id) => id.length > 20), due: date }), year],
  ])('%s', async (_name, schema, use) => {
    const tested = using(schema, use)
    const discovered = await ask(tested, { action: 'discover' })
    expect([discovered.status, discovered.body.message]).toEqual([200, undefined])
    const shown = await ask(tested, { action: 'preview', step: 'show' })
    expect([shown.status, shown.body.message]).toEqual([200, undefined])
  })

  test('what fits in no form is named, with the cure', async () => {
    const schema = z.object({ id: z.string().refine((id) => id === 'x7-unlikely'), due: date })
    const { status, body } = await ask(using(schema, year), { action: 'discover' })
    expect(status).toBe(500)
    expect(JSON.stringify(body)).toContain('The sample of payload/id does not fit its schema: give it an example.')
    const plain = workflow('w', async ({ step }) => step.sms('show', () => ({ body: 'x' })), { payloadSchema: schema })
    expect((await ask(plain, { action: 'discover' })).status).toBe(200)
  })

  test('a sample that fits at once is checked once a run', async () => {
    let checks = 0
    const counted = z.object({ vip: z.boolean(), due: date }).refine(() => ++checks > 0)
    await ask(using(counted, year), { action: 'discover' })
    // The fullest run and the emptiest.
    expect(checks).toBe(2)
  })
})

describe('texts of patterns', () => {
  test.each([
    ...[
      '^cus_.*',
      '@',
      '^[^a-z]*$',
      '^\\d{3,5}$',
      '^(?:a|b)+c?$',
      '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
      '^#[\\da-fA-F]{6}$',
    ],
    ...['^\\+[1-9]\\d{6,14}$', '^v\\d+\\.\\d+\\.\\d+(?:-[a-z]+)?$', '^\\p{Lu}\\p{L}+$', '^[a-z]+(?:-[a-z]+)*$', 'x$'],
    ...['^(?=.*\\d)[a-z\\d]{8,}$', '^\\x41\\u0042\\/$', '^(?<year>\\d{4})-\\d\\d$', '^[A-Z]{2}\\d{2}', '^\\s?ok\\b'],
  ])('%s', async (pattern) => {
    const made = toSample({ type: 'string', pattern })
    expect(made).toMatch(new RegExp(pattern, 'u'))
    expect(await compileSchema({ type: 'string', pattern } as Any).check(made)).toMatchObject({ value: made })
  })

  test.each(['^(a){1000000}$', `^${'('.repeat(500)}`, '(?<=x)y(?!z)\\1', '[', '^a(?!a)a{2}$'])(
    'is bounded: %s',
    (pattern) => {
      const startMs = process.cpuUsage().user / 1000
      const made = toTextOfPattern(pattern, (text) => text.length < 0)
      expect([made, process.cpuUsage().user / 1000 - startMs < 500]).toEqual([undefined, true])
    },
  )
})
