import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, type Data, sidesOf, withAndWithout } from './everyday.fixture.ts'

const payloadSchema = z.object({
  kind: z.string().optional(),
  code: z.string().optional(),
  tags: z.array(z.string()),
  items: z.array(z.object({ sku: z.string(), qty: z.number() })),
})

/** Data is put into groups, and groups of a regular expression are taken out of it. */
const conditions: readonly Condition[] = [
  async ({ step }) => {
    const { events } = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
    const groups: Data = {}
    for (const event of events) {
      groups[event.payload.kind] ??= []
      groups[event.payload.kind].push(event)
    }
    return groups.comment
  },
  async ({ step }) => {
    const { events } = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
    const groups: Data = {}
    for (const event of events) {
      groups[event.payload.kind] = groups[event.payload.kind] ?? []
      groups[event.payload.kind].push(event)
    }
    return groups['like']?.length > 3
  },
  ({ payload }) => {
    const counts = new Map()
    for (const tag of payload.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    return counts.get('bug') > 1
  },
  ({ payload }) => {
    const found = /^([A-Z]{2})-(\d{4})$/.exec(payload.code ?? '')
    if (!found) return false
    const [, country] = found
    return country === 'DE'
  },
  ({ payload }) => {
    const found = /^([A-Z]{2})-(\d{4})$/.exec(payload.code ?? '')
    return found && Number(found[2]) > 5000
  },
  ({ payload }) => {
    const found = /^([A-Z]+)-(\d+)-([a-z]+)$/.exec(payload.code ?? '')
    if (!found || found[1] === 'DE' || found[3] === 'web') return false
    return Number(found[2]) > 500
  },
  ({ payload }) => {
    const { country } = /^(?<country>[A-Z]{2})-(?<number>\d+)$/.exec(payload.code ?? '')?.groups ?? {}
    return country === 'FR'
  },
]
/** What stands for any value has keys that are all alike. */
const onlyWithSchema: readonly Condition[] = [
  ({ payload }) => {
    const counts: Data = {}
    for (const item of payload.items) counts[item.sku] = (counts[item.sku] ?? 0) + 1
    return Object.keys(counts).length > 2
  },
  ({ payload }) => {
    const sums = payload.items.reduce((all: Data, item: Data) => {
      all[item.sku] = (all[item.sku] ?? 0) + item.qty
      return all
    }, {})
    return sums.gift > 5
  },
]

test.each([
  ...withAndWithout(conditions, payloadSchema),
  ...onlyWithSchema.map((isMet) => [String(isMet), isMet, { payloadSchema }] as const),
])('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
