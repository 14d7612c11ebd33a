import { expect, it } from 'vitest'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'

it('fails discovery for an invalid step call, even if the source text names a step', async () => {
  const wrong = workflow('wrong', async ({ step }) => {
    await step.sms('first', () => ({ body: 'x' }))
    await step.sms('second', undefined as never)
  })
  const { status, body } = await ask(wrong, { action: 'discover' })
  expect([status, body.code]).not.toEqual([200, undefined])
  expect(JSON.stringify(body)).toContain('second')
})
