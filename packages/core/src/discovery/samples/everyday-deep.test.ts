import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, type Data, sidesOf, withAndWithout } from './everyday.fixture.ts'

const stay = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })
const order = z.object({
  n: z.number(),
  status: z.string(),
  kind: z.string(),
  tags: z.array(z.string()),
  at: z.iso.datetime(),
  sentAt: z.number(),
  ownerId: z.string(),
  actorId: z.string(),
  items: z.array(z.object({ sku: z.string(), price: z.number() })),
  customer: z.object({ plan: z.string(), address: z.object({ country: z.string() }) }),
  stay,
})
const payloadSchema = z.object({ data: z.object({ order }), legs: z.array(stay) })

/** Data that lies deep, as the events of other services have it: what is in between is neither a text nor a number. */
const conditions: readonly Condition[] = [
  ({ payload }) => payload.data.order.n > 500 && payload.data.order.status === 'open',
  ({ payload }) => {
    const isBig = payload.data.order.n > 500
    const isOpen = payload.data.order.status === 'open'
    return isBig && isOpen
  },
  ({ payload: { data } }) => data.order.customer.plan === 'pro' && data.order.customer.address.country === 'DE',
  ({ payload }) => {
    const { customer, status } = payload.data.order
    return customer.address.country === 'DE' || (customer.plan === 'pro' && status !== 'paid')
  },
  ({ payload }) => `${payload.data.order.kind}:${payload.data.order.status}` === 'refund:open',
  ({ payload }) => new Set(payload.data.order.tags).size !== payload.data.order.tags.length,
  ({ payload }) => payload.data.order.tags.filter((tag: string) => tag.startsWith('vip')).length > 1,
  ({ payload }) => payload.data.order.items.reduce((sum: number, item: Data) => sum + item.price, 0) > 1000,
  ({ payload }) => payload.data.order.items.some((item: Data) => item.sku === 'gift' && item.price > 50),
  ({ payload }) => payload.data.order.ownerId === payload.data.order.actorId,
  ({ payload }) => {
    const days = Math.floor((Date.now() - Date.parse(payload.data.order.at)) / 86_400_000)
    return days > 30 && days < 60
  },
  ({ payload }) => {
    const stages = [1, 3, 7]
    const days = Math.floor((Date.now() - new Date(payload.data.order.at).getTime()) / (24 * 60 * 60 * 1000))
    return stages.includes(days)
  },
  ({ payload }) => {
    const seconds = Math.trunc(Date.now() / 1000) - payload.data.order.sentAt
    return seconds > 300 && seconds < 600
  },
  ({ payload }) => {
    const nights = (Date.parse(payload.data.order.stay.to) - Date.parse(payload.data.order.stay.from)) / 86_400_000
    return nights > 7 && nights <= 30
  },
  ({ payload }) => {
    const { stay: dates } = payload.data.order
    const nights = (new Date(dates.to).getTime() - new Date(dates.from).getTime()) / 86_400_000
    return nights > 7 && nights <= 30
  },
  ({ payload }) => {
    const hours = (leg: Data): number => (Date.parse(leg?.to) - Date.parse(leg?.from)) / 3_600_000
    const [first, second, third] = payload.legs
    return [first, second, third].some((leg) => hours(leg) > 5 && hours(leg) < 8)
  },
]

test.each(withAndWithout(conditions, payloadSchema))('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
