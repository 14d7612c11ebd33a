import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, type Data, sidesOf, withAndWithout } from './everyday.fixture.ts'

const line = z.object({ sku: z.string(), price: z.number(), quantity: z.number(), tags: z.array(z.string()) })
const order = z.object({ id: z.string(), status: z.string(), lines: z.array(line), total: z.number() })
const payloadSchema = z.object({
  orders: z.array(order),
  matrix: z.array(z.array(z.number())),
  prices: z.record(z.string(), z.number()),
  sku: z.string(),
  userId: z.string(),
  users: z.record(z.string(), z.object({ plan: z.string(), seats: z.number(), tags: z.array(z.string()) })),
  changes: z.record(z.string(), z.object({ from: z.string(), to: z.string() })),
  flags: z.record(z.string(), z.boolean()),
  days: z.record(z.string(), z.array(z.string())),
  pairs: z.array(z.tuple([z.string(), z.number()])),
  tree: z.object({ name: z.string(), children: z.array(z.object({ name: z.string(), size: z.number() })) }),
  page: z.object({ cursor: z.string().nullable(), rows: z.array(z.object({ cells: z.array(z.string()) })) }),
})

/** Data in the shapes that the answers of services have: lists within lists, and objects by id. */
const conditions: readonly Condition[] = [
  // Lists of lists.
  ({ payload }) => payload.orders.some((one: Data) => one.lines.some((each: Data) => each.sku === 'gift')),
  ({ payload }) => payload.orders.flatMap((one: Data) => one.lines).some((each: Data) => each.price > 500),
  ({ payload }) => payload.orders.flatMap((one: Data) => one.lines).length > 4,
  ({ payload }) => payload.orders.every((one: Data) => one.lines.length > 2),
  ({ payload }) => payload.orders[0]?.lines[1]?.sku === 'gift',
  ({ payload }) => payload.orders.at(-1)?.lines.at(0)?.price > 99,
  ({ payload }) => {
    let total = 0
    for (const one of payload.orders) for (const each of one.lines) total += each.price * each.quantity
    return total > 1000
  },
  ({ payload }) => {
    for (const one of payload.orders) for (const each of one.lines) if (each.tags.includes('fragile')) return true
    return false
  },
  ({ payload }) =>
    payload.orders.reduce(
      (sum: number, one: Data) => sum + one.lines.reduce((all: number, each: Data) => all + each.price, 0),
      0,
    ) > 750,
  ({ payload }) => payload.orders.filter((one: Data) => one.status === 'open' && one.total > 100).length >= 2,
  ({ payload }) => payload.orders.find((one: Data) => one.status === 'late')?.total > 50,
  ({ payload }) => payload.orders.find((one: Data) => one.id === payload.sku)?.status === 'late',
  ({ payload }) => payload.orders.map((one: Data) => one.status).includes('late'),
  ({ payload }) => new Set(payload.orders.map((one: Data) => one.status)).has('late'),
  ({ payload }) => new Set(payload.orders.map((one: Data) => one.status)).size > 2,
  ({ payload }) => payload.orders.findIndex((one: Data) => one.status === 'late') > 0,
  ({ payload }) => Math.max(...payload.orders.map((one: Data) => one.total)) > 300,
  ({ payload }) => payload.orders.toSorted((a: Data, b: Data) => b.total - a.total)[0]?.status === 'late',
  ({ payload }) => {
    const [first, ...others] = payload.orders
    return first?.status === 'open' && others.some((one: Data) => one.status === 'late')
  },
  ({ payload }) => {
    const late = payload.orders.filter((one: Data) => one.status === 'late')
    return late.length > 0 && late.length < payload.orders.length
  },
  ({ payload }) => payload.matrix[1]?.[1] === 7,
  ({ payload }) => payload.matrix.flat().includes(7),
  ({ payload }) => payload.matrix.some((row: Data) => row.some((cell: number) => cell > 40)),
  ({ payload }) => payload.matrix.some((row: Data) => row.length > 3),
  ({ payload }) => payload.pairs.some(([name, count]: Data) => name === 'spare' && count > 3),
  ({ payload }) =>
    payload.days.monday.filter((at: string, index: number, all: string[]) => all.indexOf(at) === index).length > 2,
  ({ payload }) => payload.tree.children.some(({ name, size }: Data) => name === 'root' || size > 20),
  ({ payload }) => payload.page.rows.some((row: Data) => row.cells[2] === 'overdue'),
  ({ payload }) => payload.page.cursor === null && payload.page.rows.length > 2,
  // Objects by id.
  ({ payload }) => payload.prices[payload.sku] > 100,
  ({ payload }) => (payload.prices[payload.sku] ?? 0) > 100,
  ({ payload }) => payload.sku in payload.prices,
  ({ payload }) => payload.users[payload.userId]?.plan === 'pro',
  ({ payload }) => payload.users[payload.userId]?.tags.includes('beta'),
  ({ payload }) => {
    const user = payload.users[payload.userId]
    return user !== undefined && user.plan === 'pro' && user.seats > 20
  },
  ({ payload }) => Object.values<Data>(payload.users).some((user) => user.plan === 'pro'),
  ({ payload }) => Object.values<Data>(payload.users).filter((user) => user.seats > 20).length > 1,
  ({ payload }) => Object.entries<Data>(payload.users).some(([id, user]) => id === 'admin' && user.plan === 'pro'),
  ({ payload }) => Object.keys(payload.users).length > 3,
  ({ payload }) => Object.keys(payload.users).includes('admin'),
  ({ payload }) => Object.values<number>(payload.prices).reduce((sum, price) => sum + price, 0) > 200,
  ({ payload }) => Object.values<boolean>(payload.flags).every(Boolean),
  ({ payload }) => payload.flags['new-design'],
  ({ payload }) => payload.flags.beta === true && !payload.flags.legacy,
  ({ payload }) => payload.changes.status?.to === 'closed',
  ({ payload }) => 'status' in payload.changes && payload.changes.status.from === 'open',
  ({ payload }) => Object.entries<Data>(payload.changes).some(([field, { to }]) => field === 'owner' && to !== ''),
  ({ payload }) => {
    for (const [field, change] of Object.entries<Data>(payload.changes))
      if (field === 'email' && change.to === '') return true
    return false
  },
  ({ payload }) => payload.days.monday?.includes('09:00'),
  ({ payload }) => Object.values<string[]>(payload.days).flat().length > 5,
  ({ payload }) => (payload.days['2024-12-24'] ?? []).length > 1,
]

test.each(withAndWithout(conditions, payloadSchema))('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
