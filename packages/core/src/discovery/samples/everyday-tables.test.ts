import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, type Data, sidesOf, withAndWithout } from './everyday.fixture.ts'

const payloadSchema = z.object({
  status: z.string(),
  type: z.string(),
  n: z.number(),
  tags: z.array(z.string()),
  perms: z.array(z.string()),
  user: z.object({ plan: z.string().optional() }),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** What the data is held against stands in a list or a table of the function. */
const conditions: readonly Condition[] = [
  ({ payload }) => {
    let hit = false
    for (const role of ['admin', 'owner']) if (payload.perms.includes(role)) hit = true
    return hit
  },
  ({ payload }) => ['admin', 'owner'].some((r) => payload.perms.includes(r)),
  ({ payload }) => {
    const allowed = ['aa', 'bb']
    return payload.perms.length > 0 && payload.perms.every((p: Data) => allowed.includes(p))
  },
  ({ payload }) => {
    const rules = [
      { when: 'paid', min: 5 },
      { when: 'late', min: 50 },
    ]
    return rules.find((r) => r.when === payload.type && payload.n > r.min)
  },
  ({ payload }) => {
    const levels = [10, 50, 100]
    return levels.filter((l) => payload.n >= l).length === 3
  },
  ({ payload }) => ['read', 'write'].every((p) => payload.perms.includes(p)),
  ({ payload }) => {
    const need = ['a:read', 'a:write', 'a:admin']
    return need.every((p) => payload.perms.includes(p))
  },
  ({ payload }) => {
    const need = new Set(['x', 'y'])
    return payload.perms.filter((p: Data) => need.has(p)).length === 2
  },
  ({ payload }) => {
    const missing = ['street', 'city'].filter((f) => !payload.data?.[f])
    return missing.length > 0
  },
  ({ payload }) => {
    const missing = ['street', 'city'].filter((f) => payload.data?.[f] === undefined)
    return missing.length === 1
  },
  ({ payload }) => {
    const order = ['new', 'paid', 'sent']
    return order.indexOf(payload.status) >= order.indexOf('paid')
  },
  ({ payload }) => {
    const tiers = [
      { name: 'gold', min: 1000 },
      { name: 'silver', min: 100 },
    ]
    const tier = tiers.find((t) => payload.n >= t.min)?.name ?? 'none'
    return tier === 'silver'
  },
  ({ payload }) => {
    const pairs = [
      ['paid', 1],
      ['late', 2],
    ]
    const found = pairs.find(([s]) => s === payload.status)
    return found?.[1] === 2
  },
  ({ payload }) => {
    const m = new Map([
      ['paid', 5],
      ['late', 1],
    ])
    const w = m.get(payload.status) ?? 0
    return w > 3
  },
  ({ payload }) => {
    const matches = ['vip', 'beta'].filter((t) => payload.tags.includes(t))
    return matches.length === 2
  },
  ({ payload }) => {
    const [a, b] = ['vip', 'beta'].map((t) => payload.tags.includes(t))
    return a && !b
  },
  ({ payload }) => {
    const between = (x: Data, a: number, b: number) => x >= a && x <= b
    return between(payload.n, 50, 60)
  },
  ({ payload }) => {
    function isVip(p: Data): boolean {
      return p.user.plan === 'gold' && p.n > 99
    }
    return isVip(payload)
  },
]

test.each(withAndWithout(conditions, payloadSchema))('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
