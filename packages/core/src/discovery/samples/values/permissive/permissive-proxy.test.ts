import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ask, flow } from '../../../../call-bridge.fixture.ts'
import { readLiterals } from '../../../text/near-literals.ts'
import { createVariationSource } from '../../variation/variation-source.ts'
import { createPermissiveProxy } from './permissive-proxy.ts'

// biome-ignore lint/suspicious/noExplicitAny: the value stands for data of any shape.
type Data = any

const fullest = (): Data =>
  createPermissiveProxy(
    createVariationSource({ base: 'fullest', changes: new Map() }, (reason) => new Error(reason)),
    'payload',
  )

/** Expressions of user code that work on data without a schema. */
const expressions: Readonly<Record<string, (x: Data) => unknown>> = {
  'deep reads': (x) => x.a.b.c.d,
  'optional reads': (x) => x?.a?.b ?? 'none',
  indexes: (x) => x.list[0].name,
  calls: (x) => x.user.getName('short').length,
  'destructuring with rest': ({ a, b: { c }, ...rest }) => [a, c, rest],
  'array destructuring': ({ list: [first] }) => first.id,
  spread: (x) => ({ ...x, ...x.a, list: [...x.list] }),
  'for of': (x) => {
    for (const item of x.items) String(item.id)
  },
  'for in': (x) => {
    for (const key in x.items) String(key)
  },
  in: (x) => 'a' in x,
  delete: (x) => delete x.a,
  assignment: (x) => {
    x.a = 5
    if (x.a !== 5) throw new Error('was not kept')
  },
  increment: (x) => x.count++,
  map: (x) => x.items.map((item: Data) => item.name.toUpperCase()).join(', '),
  filter: (x) => x.items.filter((item: Data) => item.open).map((item: Data) => item.id),
  reduce: (x) => x.items.reduce((sum: number, item: Data) => sum + item.price * item.amount, 0).toFixed(2),
  sort: (x) => x.items.toSorted((a: Data, b: Data) => a.at - b.at)[0].id,
  find: (x) => x.items.find((item: Data) => item.id === 'x').name,
  some: (x) => x.items.some((item: Data) => item.open),
  flatMap: (x) => x.items.flatMap((item: Data) => item.tags),
  slice: (x) => x.items.slice(0, 3).map((item: Data) => item.id),
  'slice of text': (x) => x.name.slice(0, 3).toUpperCase(),
  concat: (x) => x.items.concat(x.more).length,
  entries: (x) => [...x.items.entries()].map(([index, item]: Data) => `${index}${item.id}`),
  push: (x) => x.items.push(1),
  'Array.from': (x) => Array.from(x.items).length,
  'new Map and Set': (x) => [new Set(x.tags).size, new Map(x.items.map((item: Data) => [item.id, item])).size],
  'Promise.all': (x) => Promise.all(x.items),
  'Math.max': (x) => Math.max(...x.amounts),
  templates: (x) => `Hello ${x.name}, ${x.order.total}`,
  plus: (x) => x.a + x.b,
  // biome-ignore lint/suspicious/noDoubleEquals: user code may compare so.
  comparison: (x) => [x.a > 5, x.a <= x.b, x.a == 1, -x.a, +x.a],
  'Number, parseInt, BigInt': (x) => [Number(x.a), Number.parseInt(x.a, 10), BigInt(x.a)],
  dates: (x) => [new Date(x.at).toISOString(), x.at.toISOString(), x.at.getTime() + 1],
  'text methods': (x) => [x.a.toFixed(2), x.a.split(','), x.a.replace('a', 'b'), x.a.localeCompare('b'), x.a.trim()],
  regex: (x) => [/a/.test(x.a), x.a.match(/\d/)],
  'JSON both ways': (x) => JSON.parse(JSON.stringify({ x, list: x.list })),
  'JSON.parse': (x) => JSON.parse(x.text),
  'Object methods': (x) => [Object.assign({}, x), Object.freeze(x.a), Object.keys(x)],
  'Object.hasOwn': (x) => Object.hasOwn(Object(x), 'a'),
  // biome-ignore lint/suspicious/noPrototypeBuiltins: user code may ask so.
  hasOwnProperty: (x) => x.hasOwnProperty('a'),
  inspect: (x) => inspect(x),
  encodeURIComponent: (x) => encodeURIComponent(x.id),
  'new URL with a base': (x) => new URL(`/orders/${x.id}`, 'https://example.com'),
  'Intl dates': (x) => new Intl.DateTimeFormat('en').format(x.at),
  not: (x) => !x.a,
  'names that are also methods': (x) => [
    x.link.url,
    x.at.city,
    x.values.first,
    x.keys.a,
    x.small.b,
    x.search.term,
    x.find.me,
  ],
  length: (x) => x.items.length > 0,
  includes: (x) => x.tags.includes('vip'),
}

describe('data without a schema', () => {
  it.each(Object.entries(expressions))('%s', async (_name, read) => {
    await read(fullest())
  })

  it('ends iteration along a chain of properties', () => {
    let length = 0
    for (let node = fullest(); node.next; node = node.next) length++
    expect(length).toBeLessThan(12)
  })

  it('can be awaited', async () => {
    const data = fullest()
    expect(await data.a).toBe(data.a)
  })

  it('can be iterated with for await', async () => {
    let count = 0
    for await (const _item of fullest().items) count++
    expect(count).toBe(1)
  })

  it('treats only the first two items of a list as optional', () => {
    const changes = new Map([['payload/list#items', 3]])
    const source = createVariationSource({ base: 'fullest', changes }, (reason) => new Error(reason))
    const { list } = createPermissiveProxy(source, 'payload', { literals: readLiterals('list.length > 5') }) as Data
    expect([...list].length).toBeGreaterThan(2)
    const varied = [...source.reads.keys()].filter((path) => /^payload\/list\/\d/.test(path))
    expect(varied).toEqual(['payload/list/0?', 'payload/list/1?'])
  })

  it('reveals the steps in both branches of a condition, and in a list', async () => {
    const { body } = await ask(
      flow(async ({ step, payload }: Data) => {
        if (payload.user.vip) await step.sms('vip', () => ({ body: '' }))
        else await step.sms('plain', () => ({ body: '' }))
        if (payload.total > 1000) await step.sms('large', () => ({ body: '' }))
        for (const item of payload.items ?? []) await step.sms('item', () => ({ body: item.name }))
      }),
      { action: 'discover' },
    )
    const reached = body.workflows[0].steps.filter((one: Data) => one.reached !== false)
    expect(reached.map(({ stepId }: Data) => stepId).sort()).toEqual(['item', 'large', 'plain', 'vip'])
  })

  it('is copied as an object with the fields that are read from the copy', async () => {
    const { body } = await ask(
      flow(async ({ step, payload }: Data) => {
        const own = structuredClone(payload)
        if (own.vip) await step.sms('vip', () => ({ body: '' }))
        await step.sms('all', () => ({ body: '' }))
      }),
      { action: 'discover' },
    )
    const { steps, warnings } = body.workflows[0]
    expect(steps.map(({ stepId }: Data) => stepId)).toEqual(['vip', 'all'])
    expect(warnings).toEqual([])
  })

  it('suggests a fix for code that cannot handle it', async () => {
    const { body } = await ask(
      flow(({ payload }: Data) => JSON.parse(payload.text).user.address.city),
      { action: 'discover' },
    )
    expect(body.message).toMatch(/Add a payloadSchema/)
  })
})
