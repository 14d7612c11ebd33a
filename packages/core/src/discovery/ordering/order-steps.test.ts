import { expect, test } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'
import type { Data } from '../samples/everyday.fixture.ts'

test('steps that no run has called both stand as in the source, whichever of the runs at once has met them', async () => {
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

test('steps that no run has called both stand as in the source where one of them is called at once, and one behind a step', async () => {
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
