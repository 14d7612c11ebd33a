import { expect, it, vi } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { workflow } from '../../workflow/workflow.ts'
import { memoizeSample } from './sample-cache.ts'
import { previewValues as by, rotate } from './variation/preview-values.ts'

it('makes a sample once, and gives each caller one of its own', () => {
  const payload = compileSchema({ type: 'object' })
  const schema = {}
  const sample = JSON.parse('{"list":[{"a":1}],"__proto__":{"b":[2]},"none":null}')
  const make = vi.fn(() => structuredClone(sample))
  const parts = { make, fill: () => ({}) }
  const give = (path: string) => memoizeSample(payload, { schema, path, by }, parts) as { list: { a: number }[] }
  const first = give('steps/a')
  first.list.push({ a: 9 })
  const second = give('steps/a')
  expect(JSON.stringify(second)).toBe('{"list":[{"a":1}],"__proto__":{"b":[2]},"none":null}')
  const [item] = second.list
  if (item) item.a = 7
  expect(give('steps/a').list).toEqual([{ a: 1 }])
  expect(make).toHaveBeenCalledTimes(1)
  memoizeSample(payload, { schema: {}, path: 'steps/a', by }, parts)
  memoizeSample(compileSchema({ type: 'object' }), { schema, path: 'steps/a', by }, parts)
  expect(make).toHaveBeenCalledTimes(3)
  memoizeSample(payload, { schema: {}, path: 'steps/a', by: rotate(by, 1) }, parts)
  expect(make).toHaveBeenCalledTimes(4)
})

it('asks each time for what no schema describes', () => {
  const payload = compileSchema({ type: 'object' })
  const place = { schema: {}, path: 'steps/a', by }
  let count = 0
  const make = vi.fn((_place: unknown, unknown: (path: string) => unknown) => ({
    a: 1,
    list: [unknown('steps/a/list/0')],
    b: unknown('b'),
  }))
  const fill = (path: string): unknown => `${path} ${++count}`
  const give = (): unknown => memoizeSample(payload, place, { make, fill })
  expect(give()).toEqual({ a: 1, list: ['steps/a/list/0 1'], b: 'b 2' })
  expect(give()).toEqual({ a: 1, list: ['steps/a/list/0 3'], b: 'b 4' })
  expect(make).toHaveBeenCalledTimes(1)
  const lone = { make: (_place: unknown, unknown: (path: string) => unknown) => unknown('c'), fill }
  expect(memoizeSample(payload, { ...place, path: 'c' }, lone)).toBe('c 5')
})

it('keeps only so many', () => {
  const payload = compileSchema({ type: 'object' })
  const schema = {}
  const make = vi.fn(() => 1)
  const parts = { make, fill: () => ({}) }
  for (let index = 0; index <= 500; index++) memoizeSample(payload, { schema, path: `p${index}`, by }, parts)
  memoizeSample(payload, { schema, path: 'p500', by }, parts)
  expect(make).toHaveBeenCalledTimes(501)
  memoizeSample(payload, { schema, path: 'p0', by }, parts)
  expect(make).toHaveBeenCalledTimes(502)
})

it('does not let one preview change the sample of the next', async () => {
  const shown = workflow(
    'shown',
    async ({ step, payload, subscriber }) => {
      payload.items.push('more')
      Object.assign(subscriber, { firstName: 'Changed' })
      await step.custom('show', () => ({ items: payload.items, subscriber }))
    },
    {
      payloadSchema: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string' } } },
        required: ['items'],
      },
    },
  )
  const asked = { action: 'preview', step: 'show' }
  const first = await ask(shown, asked)
  const second = await ask(shown, asked)
  expect(second.body.outputs).toEqual(first.body.outputs)
  expect(first.body.outputs.items).toHaveLength(3)
})

it('copies no field that all objects have by then', () => {
  const place = { schema: {}, path: 'payload', by }
  const give = () =>
    memoizeSample(compileSchema({ type: 'object' }), place, { make: () => ({ a: 1 }), fill: () => ({}) })
  Reflect.set(Object.prototype, 'everywhere', { b: 2 })
  try {
    expect(Object.keys(give() as object)).toEqual(['a'])
  } finally {
    Reflect.deleteProperty(Object.prototype, 'everywhere')
  }
})
