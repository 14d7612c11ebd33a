import { expect, test } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'
import type { Data } from './everyday.fixture.ts'

const sms = (step: Data, id: string): Promise<unknown> => step.sms(id, () => ({ body: 'x' }))

/** What asks for a method of data that nothing describes. Names such as `some` and `split` may be names of data, too. */
const uses: readonly ((payload: Data) => unknown)[] = [
  (payload) => payload.items.some((item: Data) => item.sku === 'lamp'),
  (payload) => payload.items.find(({ sku, count = 1 }: Data) => sku === 'lamp' && count > 1),
  (payload) => payload.items.filter((item: Data) => item.count > 1).length > 0,
  (payload) => payload.items.every((item: Data) => item.done),
  (payload) => payload.items.map((item: Data) => item.sku).includes('lamp'),
  (payload) => payload.items?.at?.(0)?.sku === 'lamp',
  (payload) => payload.plan.split('-')[1] === 'plus',
  (payload) => payload.plan.replace('-', '') === 'proplus',
  (payload) => payload.plan.match(/^pro/),
]

test.each(uses.map((use) => [String(use), use] as const))('%s hides no keys of a table', async (source, use) => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (use(payload)) await sms(step, 'first')
    const byStatus: Data = { fresh: ['a'], paid: ['b', 'c'] }
    for (const id of byStatus[payload.status] ?? []) await sms(step, id)
  }
  // The literals of a function are those of its own text.
  const text = String(run).replace('use(payload)', `(${source})(payload)`)
  run.toString = () => text
  const { body } = await ask(workflow('w', run), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(
    expect.arrayContaining(['first', 'a', 'b', 'c']),
  )
})

test('data that has the name of a method may be absent, or a text', async () => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (!payload.filter) await sms(step, 'none')
    else if (payload.filter === 'open') await sms(step, 'open')
    for (const id of ['a', 'b'].filter((one) => payload.ids.some((other: Data) => other === one))) await sms(step, id)
  }
  const { body } = await ask(workflow('w', run), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(
    expect.arrayContaining(['none', 'open', 'a', 'b']),
  )
})
