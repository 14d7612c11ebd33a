import { expect, test } from 'vitest'
import type { z } from 'zod'
import { type Answer, type Ask, ask } from '../call-bridge.fixture.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const preview = (definition: WorkflowDefinition, asked: Ask = {}): Promise<Answer> =>
  ask(definition, { action: 'preview', step: 'show', ...asked })

const show = (step: Data, text: unknown = ''): Promise<unknown> => step.custom('show', () => ({ text }))
const sms = (step: Data, id: string): Promise<unknown> => step.sms(id, () => ({ body: 'x' }))

test.each<[string, (context: Data) => unknown, z.ZodType?]>([
  [
    'a step that did not complete',
    async ({ step }) => {
      const sent = await sms(step, 'a')
      if ((sent as Data)._ctx.state.status !== 'completed') await show(step)
    },
  ],
  [
    'a step that failed',
    async ({ step }) => {
      const { _ctx } = await step.custom('a', () => ({}))
      if (_ctx.state.error) await show(step)
    },
  ],
  ['an actor', async ({ step, actor }) => actor && show(step, actor.firstName)],
  ['no actor', async ({ step, actor }) => !actor && show(step)],
])('shows a step that discovery finds after %s', async (_name, run, payloadSchema) => {
  const definition = workflow('w', run as never, payloadSchema ? { payloadSchema } : {})
  const { body } = await ask(definition, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toContain('show')
  const answer = await preview(definition)
  expect([answer.body.options, answer.body.metadata.warnings]).toEqual([{ skip: false }, undefined])
})

test('lists a step from its source text if no sample run reaches it after a race, and its preview says so', async () => {
  const raced = workflow('w', async ({ step }: Data) => {
    const first = await Promise.race([sms(step, 'a').then(() => 1), sms(step, 'b').then(() => 2)])
    if (first === 2) await step.custom('show', () => ({ text: 'late' }))
  })
  const { body } = await ask(raced, { action: 'discover' })
  expect(body.workflows[0].steps).toContainEqual(expect.objectContaining({ stepId: 'show', reached: false }))
  expect(body.workflows[0].warnings).toContainEqual(expect.objectContaining({ code: 'StepNotReached' }))
  const answer = await preview(raced)
  expect(answer.body.metadata.warnings).toEqual([expect.objectContaining({ code: 'PreviewNotReached' })])
})

test('merges a given actor into the sample, and shows none otherwise', async () => {
  const definition = workflow('w', async ({ step, actor, subscriber }: Data) =>
    show(step, [actor.subscriberId, actor.firstName, subscriber.firstName]),
  )
  expect((await preview(definition)).body.outputs.text).toEqual(['actor-1', 'Grace', 'Ada'])
  const given = await preview(definition, { actor: { subscriberId: 'boss' } })
  expect(given.body.outputs.text).toEqual(['boss', 'Grace', 'Ada'])
})
