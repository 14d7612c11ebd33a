import { expect, test } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

test('lists alternative branches in source order, regardless of which run reached them first', async () => {
  const text = { body: 'x' }
  const run = async ({ step, payload }: Data): Promise<void> => {
    const { id: _id, ...rest } = payload.user
    if (rest.active) await step.sms('active', () => text)
    switch (payload.status) {
      case 'new':
        await step.sms('new', () => text)
        break
      case 'paid':
        await step.sms('paid', () => text)
        break
      default:
        await step.sms('other', () => text)
    }
    await step.sms('last', () => text)
  }
  const { body } = await ask(workflow('w', run), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['active', 'new', 'paid', 'other', 'last'])
})

test('lists alternative branches in source order if one is called immediately and another after a step', async () => {
  const text = { body: 'x' }
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (payload.items.find(({ sku, count = 1 }: Data) => sku === 'lamp' && count > 1))
      await step.sms('lamp', () => text)
    switch (payload.status) {
      case 'new':
        await step.sms('new', () => text)
        break
      case 'paid':
        await step.sms('paid', () => text)
        break
      case 'sent':
        await step.sms('sent', () => text)
    }
  }
  const { body } = await ask(workflow('w', run), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['lamp', 'new', 'paid', 'sent'])
})

test('keeps the order of steps in one branch when steps of another branch are between them', async () => {
  const text = { body: 'x' }
  const run = async ({ step, payload }: Data): Promise<void> => {
    const both = async (): Promise<void> => {
      await step.sms('first', () => text)
      const begun = step.sms('begun', () => text)
      await step.sms('beside', () => text)
      await begun
    }
    const each = async (): Promise<void> => {
      for (const index of payload.items.keys()) await step.sms(`item-${index}`, () => text)
      if (!(payload.items.length > 1) && payload.few) await step.sms('few', () => text)
      if (payload.few) await step.sms('last', () => text)
    }
    await Promise.all([both(), each()])
  }
  const payloadSchema = {
    type: 'object',
    properties: { few: { type: 'boolean' }, items: { type: 'array', items: { type: 'object' } } },
    required: ['few', 'items'],
  } as const
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  const ids: readonly string[] = body.workflows[0].steps.map(({ stepId }: Data) => stepId)
  expect(ids.toSorted()).toEqual(['begun', 'beside', 'few', 'first', 'item-0', 'item-1', 'last'])
  for (const [before, after] of [
    ...[
      ['item-0', 'item-1'],
      ['item-1', 'last'],
      ['item-0', 'few'],
      ['few', 'last'],
      ['first', 'begun'],
      ['first', 'beside'],
    ],
  ] as const)
    expect(ids.indexOf(before as string)).toBeLessThan(ids.indexOf(after as string))
})
