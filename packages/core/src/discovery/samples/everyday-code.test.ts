import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Data, sidesOf } from './everyday.fixture.ts'

const outputSchema = z.object({
  status: z.string(),
  score: z.number(),
  user: z.object({ name: z.string(), tags: z.array(z.string()) }).nullable(),
  items: z.array(z.object({ id: z.string(), late: z.boolean() })),
  at: z.iso.datetime(),
})
const payloadSchema = z.object({
  status: z.enum(['open', 'closed', 'pending']),
  type: z.string(),
  n: z.number(),
  users: z.array(z.object({ id: z.string(), role: z.enum(['admin', 'member']), email: z.string().optional() })),
  order: z.object({
    lines: z.array(z.object({ sku: z.string(), qty: z.number() })),
    total: z.number(),
    coupon: z.string().nullish(),
  }),
  flags: z.record(z.string(), z.boolean()),
})

/** What workflows do with the results of steps and with variables before they decide; each has two sides. */
const conditions: Readonly<Record<string, (context: Data) => unknown>> = {
  digestOne: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.length === 1
  },
  digestMany: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.length > 10
  },
  digestCount: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return (r.eventCount ?? r.events.length) >= 3
  },
  digestEvery: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.every((e: Data) => e.payload.type === 'like')
  },
  digestSome: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.some((e: Data) => e.payload.n > 100)
  },
  digestGroup: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return new Set(r.events.map((e: Data) => e.payload.type)).size > 1
  },
  digestLast: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.at(-1)?.payload.type === 'final'
  },
  digestSum: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.reduce((s: Data, e: Data) => s + e.payload.n, 0) > 50
  },
  digestFilter: async ({ step }) => {
    const r = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
    return r.events.filter((e: Data) => e.payload.status === 'open').length > 0
  },
  inRead: async ({ step }) => {
    const r = await step.inApp('i', () => ({ body: 'x' }))
    return r.read
  },
  inSeen: async ({ step }) => {
    const r = await step.inApp('i', () => ({ body: 'x' }))
    return r.seen && !r.read
  },
  inDate: async ({ step }) => {
    const r = await step.inApp('i', () => ({ body: 'x' }))
    return r.lastReadDate !== null
  },
  custS: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.status === 'failed'
  },
  custN: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.score >= 0.8
  },
  custNull: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.user === null
  },
  custTag: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.user?.tags.includes('vip')
  },
  custItems: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.items.some((i: Data) => i.late)
  },
  custNone: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.items.length === 0
  },
  custAt: async ({ step }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return new Date(r.at) > new Date()
  },
  custBoth: async ({ step, payload }) => {
    const r = await step.custom('c', () => null, { outputSchema })
    return r.status === payload.type
  },
  nCustS: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return r.status === 'failed'
  },
  nCustN: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return r.score >= 0.8
  },
  nCustList: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return r.items.length > 3
  },
  nCustNull: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return r.user == null
  },
  nCustTruthy: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return r.ok
  },
  nCustNot: async ({ step }) => {
    const r = await step.custom('c', () => null)
    return !r.ok
  },
  http: async ({ step }) => {
    const r = await step.httpRequest('c', () => ({ method: 'GET', url: 'https://x.test' }))
    return r.status === 'active'
  },
  httpDeep: async ({ step }) => {
    const r = await step.httpRequest('c', () => ({ method: 'GET', url: 'https://x.test' }))
    return r.data?.user?.plan === 'pro'
  },
  admins: ({ payload }) => payload.users.filter((u: Data) => u.role === 'admin').length > 1,
  noMail: ({ payload }) => payload.users.some((u: Data) => !u.email),
  allMail: ({ payload }) => payload.users.every((u: Data) => u.email),
  firstAdmin: ({ payload }) => payload.users[0]?.role === 'admin',
  findAdmin: ({ payload }) => payload.users.find((u: Data) => u.role === 'admin')?.email,
  total: ({ payload }) => payload.order.lines.reduce((s: Data, l: Data) => s + l.qty, 0) !== payload.order.total,
  coupon: ({ payload }) => payload.order.coupon,
  couponPre: ({ payload }) => payload.order.coupon?.startsWith('VIP'),
  skuMap: ({ payload }) => payload.order.lines.map((l: Data) => l.sku).includes('GIFT'),
  flagKey: ({ payload }) => payload.flags['beta'],
  flagKeys: ({ payload }) => Object.keys(payload.flags).length > 3,
  subscr: ({ payload, subscriber }) => payload.users.some((u: Data) => u.id === subscriber.subscriberId),
  notSelf: ({ payload, subscriber }) => payload.type !== subscriber.subscriberId,
  ofCtx: ({ context }) => context.account?.id === 'acme',
  chained: ({ payload }) => {
    const { lines, total } = payload.order
    return lines.length > 5 && total > 100
  },
  local: ({ payload }) => {
    const isBig = payload.n > 500
    const isOpen = payload.status === 'open'
    return isBig && isOpen
  },
  fn: ({ payload }) => {
    const isBig = (v: Data) => v > 500
    return isBig(payload.n)
  },
  fn2: ({ payload }) => {
    function level(v: Data) {
      if (v > 500) return 'high'
      return 'low'
    }
    return level(payload.n) === 'high'
  },
  tern: ({ payload }) => {
    const level = payload.n > 900 ? 'high' : payload.n > 100 ? 'mid' : 'low'
    return level === 'mid'
  },
  obj: ({ payload }) => {
    const limits: Data = { open: 5, closed: 10 }
    return payload.n > (limits[payload.status] ?? 50)
  },
  arr: ({ payload }) => {
    const vip = ['a1', 'b2']
    return vip.includes(payload.type)
  },
  set: ({ payload }) => {
    const vip = new Set(['a1', 'b2'])
    return vip.has(payload.type)
  },
  map: ({ payload }) => {
    const by = new Map([
      ['gold', 3],
      ['silver', 2],
    ])
    return (by.get(payload.type) ?? 0) >= 3
  },
  rx: ({ payload }) => {
    const rx = /^ORD-\d+$/
    return rx.test(payload.type)
  },
  sw: ({ payload }) => {
    let hit = false
    switch (payload.type) {
      case 'x':
      case 'y':
        hit = true
        break
      default:
        hit = false
    }
    return hit
  },
  count: ({ payload }) => {
    let late = 0
    for (const l of payload.order.lines) if (l.qty > 10) late++
    return late >= 2
  },
  forIn: ({ payload }) => {
    let any = false
    for (const k in payload.flags) if (payload.flags[k]) any = true
    return any
  },
  tryC: ({ payload }) => {
    let bad = false
    try {
      JSON.parse(payload.type)
    } catch {
      bad = true
    }
    return bad
  },
  opt: ({ payload }) => {
    const c = payload.order.coupon ?? 'NONE'
    return c === 'NONE'
  },
  len0: ({ payload }) => {
    const [first] = payload.users
    return !first
  },
  entries: ({ payload }) => {
    const on = Object.entries(payload.flags)
      .filter(([, v]: Data) => v)
      .map(([k]) => k)
    return on.includes('sms')
  },
  dates: ({ payload }) => {
    const days = (Date.now() - Date.parse(payload.type)) / 864e5
    return days > 7
  },
  pct: ({ payload }) => {
    const p = Math.round((payload.n / payload.order.total) * 100)
    return p >= 80
  },
  lower: ({ payload }) => {
    const t = payload.type.trim().toLowerCase()
    return t === 'urgent' || t.startsWith('p1')
  },
  clamp: ({ payload }) => {
    const v = Math.min(Math.max(payload.n, 0), 100)
    return v === 100
  },
  bits: ({ payload }) => (payload.n & 4) !== 0,
  mod: ({ payload }) => payload.n % 10 === 0,
  big: ({ payload }) => BigInt(Math.trunc(payload.n)) > 1000n,
  str: ({ payload }) => String(payload.n).length > 3,
  nested: ({ payload }) => (payload.status === 'open' ? payload.n > 10 : payload.type === 'x'),
  json: ({ payload }) => {
    const o = JSON.parse(payload.type || '{}')
    return o.kind === 'a'
  },
}

test.each(Object.entries(conditions))('both sides are found of %s', async (_name, isMet) => {
  expect(await sidesOf(isMet, { payloadSchema })).toEqual(['no', 'yes'])
  expect(await sidesOf(isMet, {})).toEqual(['no', 'yes'])
})
