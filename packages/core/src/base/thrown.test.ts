import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'

test('a message ends with exactly one full stop', async () => {
  const schema = z.object({ id: z.string().refine(() => false, 'It is not an order.') })
  const failing = workflow('w', async ({ step }) => {
    await step.custom('s', () => ({ id: 'x' }), { outputSchema: schema })
  })
  const throwing = workflow('w', async () => {
    throw new Error('No stock.')
  })
  const payload = workflow('w', async ({ step }) => void (await step.sms('s', () => ({ body: '' }))), {
    payloadSchema: schema,
  })
  const replies = [
    await ask(failing, { step: 's' }),
    await ask(throwing, { action: 'discover' }),
    await ask(payload, { step: 's', payload: { id: 'x' } }),
  ]
  for (const { status, body } of replies) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.message).toMatch(/(not an order|No stock)\./)
    expect(body.message).not.toMatch(/\.\.|[^.!?]$/)
  }
})
