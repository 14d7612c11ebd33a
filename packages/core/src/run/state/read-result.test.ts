import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { ask } from '../../call-bridge.fixture.ts'
import type { Schema } from '../../schema/schema-types.ts'
import { type Workflow, workflow } from '../../workflow/workflow.ts'

const time = '2026-01-01T00:00:00.000Z'

const eventsOf = (...payloads: object[]): object => ({
  events: payloads.map((payload, index) => ({ id: `${index}`, time, payload })),
  eventCount: payloads.length,
})

/** A workflow that returns what it received as a digest's events. */
const telling = (payloadSchema: Schema | undefined, tell: (payloads: readonly never[]) => unknown): Workflow =>
  workflow(
    'w',
    async ({ step }) => {
      const { events } = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
      const result = tell(events.map(({ payload }) => payload as never))
      await step.custom('s', () => ({ told: result }))
    },
    { payloadSchema: payloadSchema as never },
  ) as Workflow

const sum = (payloads: readonly { qty: number }[]): number => payloads.reduce((total, { qty }) => total + qty, 0)

describe('the payload of a digested event', () => {
  test.each<[string, Schema]>([
    ['Zod', z.object({ qty: z.coerce.number() })],
    ['Zod, asynchronous', z.object({ qty: z.coerce.number() }).refine(async () => true)],
    ['Zod 3', z3.object({ qty: z3.coerce.number() }) as never],
    ['Valibot', v.object({ qty: v.pipe(v.string(), v.transform(Number)) }) as never],
    ['ArkType', type({ qty: 'string.numeric.parse' }) as never],
  ])('is the output of the payload schema: %s', async (_name, schema) => {
    const state = { d: eventsOf({ qty: '2' }, { qty: '3' }) }
    const { body } = await ask(telling(schema, sum), { step: 's', payload: { qty: '3' }, state })
    expect(body.outputs).toEqual({ told: 5 })
  })

  it('has the defaults of a JSON Schema', async () => {
    const schema = { type: 'object', properties: { who: { type: 'string', default: 'someone' } } } as const
    const tested = telling(schema, (payloads: readonly { who: string }[]) => payloads.map(({ who }) => who))
    const { body } = await ask(tested, { step: 's', state: { d: eventsOf({}, { who: 'Ada' }) } })
    expect(body.outputs).toEqual({ told: ['someone', 'Ada'] })
  })

  it('is unchanged if it no longer matches', async () => {
    const schema = z.object({ at: z.coerce.date(), n: z.number().default(1) })
    const state = { d: eventsOf({ at: 'never', old: true }, { at: time }, { at: time, n: 'x' }) }
    const { body } = await ask(
      telling(schema, (payloads: readonly unknown[]) => payloads),
      { step: 's', payload: { at: time }, state },
    )
    expect(body.outputs.told).toEqual([
      { at: 'never', old: true },
      { at: time, n: 1 },
      { at: time, n: 'x' },
    ])
  })

  it('passes through unchanged without a schema', async () => {
    const state = { d: eventsOf({ any: ['thing'] }) }
    const tested = telling(undefined, (payloads) => payloads)
    expect((await ask(tested, { step: 's', state })).body.outputs.told).toEqual([{ any: ['thing'] }])
  })

  it('has the same form in discovery and previews', async () => {
    const schema = z.object({ due: z.coerce.date(), qty: z.coerce.number() })
    const tested = telling(schema, (payloads: readonly { due: Date; qty: number }[]) =>
      payloads.map(({ due, qty }) => `${due.getUTCFullYear()} ${qty.toFixed(2)}`).join(),
    )
    expect((await ask(tested, { action: 'discover' })).body.workflows[0].steps).toHaveLength(2)
    const preview = await ask(tested, { action: 'preview', step: 's' })
    expect(preview.body.outputs.told).toMatch(/^\d{4} \d+\.\d\d,/)
    const state = { d: eventsOf({ due: '2031-02-03', qty: '7' }) }
    const given = await ask(tested, { action: 'preview', step: 's', state })
    expect(given.body.outputs.told).toBe('2031 7.00')
  })

  it('is varied in its output form, so that steps after a condition on it are found', async () => {
    const schema = z.object({ kind: z.enum(['a', 'b']).transform((kind) => ({ kind })) })
    const tested = workflow(
      'w',
      async ({ step }) => {
        const { events } = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
        if (events.some(({ payload }) => payload.kind.kind === 'b')) await step.sms('behind', () => ({ body: 'x' }))
      },
      { payloadSchema: schema },
    )
    const { body } = await ask(tested, { action: 'discover' })
    expect(body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)).toEqual(['d', 'behind'])
  })
})

test.each<[string, Schema]>([
  ['that does not fit', z.object({ qty: z.number() })],
  [
    'of a schema that takes its time',
    z.object({}).refine(() => new Promise((resolve) => setTimeout(resolve, 20, true))),
  ],
])('a race keeps its winner if the events of a digest have a payload %s', async (_name, payloadSchema) => {
  const tested = workflow(
    'w',
    async ({ step }) => {
      await step.custom('first', () => ({}))
      const won = await Promise.race([
        step.digest('d', () => ({ amount: 1, unit: 'hours' })).then(() => 'digest'),
        step.delay('late', () => ({ amount: 2, unit: 'hours' })).then(() => 'delay'),
      ])
      await step.custom('s', () => ({ won }))
    },
    { payloadSchema: payloadSchema as never },
  )
  // The latest result first.
  const state = { late: { duration: 1 }, d: eventsOf({ qty: 'many' }), first: {} }
  const { body } = await ask(tested, { step: 's', payload: { qty: 1 }, state })
  expect(body.outputs).toEqual({ won: 'digest' })
})
