import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Data, sidesOf } from '../everyday.fixture.ts'
import { chooseOf } from './choose-value.ts'

const payloadSchema = z.object({
  kind: z.string(),
  n: z.number(),
  roles: z.array(z.string()),
  items: z.array(z.object({ sku: z.string(), tags: z.array(z.string()) })),
})

test('a number is not the length of lists within lists, which would multiply', async () => {
  const isMet = async ({ step, payload }: Data): Promise<boolean> => {
    const { events } = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
    return events.some((event: Data) => event.payload.kind === 'paid') && payload.n > 90
  }
  expect(await sidesOf(isMet, { payloadSchema })).toEqual(['no', 'yes'])
})

test('literals are left alone where a variation has no use for them, since they cost a look at the source text', () => {
  const values = {
    get literals(): never {
      throw new Error('was asked for')
    },
  }
  const chosen = (['fullest', 'emptiest'] as const).map((base) =>
    chooseOf({ base, changes: new Map([['payload/kind', 1]]) }, 'payload/kind', { count: 3, values }),
  )
  expect(chosen).toEqual([1, 1])
  expect(chooseOf({ base: 'emptiest', changes: new Map() }, 'payload/kind', { count: 3, values })).toBe(2)
})

test('a long list is not made of each item of a list, unless it alone is changed', () => {
  const literals = [20, 3].map((value, key) => ({ kind: 'number' as const, key, isNear: true, value }))
  const values = { literals, isList: true }
  const choose = (path: string, key: number): number =>
    chooseOf({ base: 'fullest', changes: new Map(), everywhere: { kind: 'number', key } }, path, { count: 3, values })
  expect([choose('payload/tags', 0), choose('items/0/tags', 0), choose('items/0/tags', 1)]).toEqual([3, 0, 4])
  const inTurn = { base: 'fullest', changes: new Map(), isInTurn: true } as const
  expect(chooseOf(inTurn, 'items/0/tags', { count: 3, values })).toBe(4)
  const changed = { base: 'fullest', changes: new Map([['items/0/tags', 3]]) } as const
  expect(chooseOf(changed, 'items/0/tags', { count: 3, values })).toBe(3)
})
