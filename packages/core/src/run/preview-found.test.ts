import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, type Ask, ask } from '../call-bridge.fixture.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const preview = (shown: WorkflowDefinition, asked: Ask = {}): Promise<Answer> =>
  ask(shown, { action: 'preview', step: 'show', ...asked })

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
  [
    'an actor who is told',
    async ({ step, actor, subscriber }) => actor?.subscriberId === subscriber.subscriberId && show(step),
  ],
  [
    'the recipient, whose id is a text of the payload',
    async ({ step, payload, subscriber }) => subscriber.subscriberId === payload.ownerId && show(step),
    z.object({ ownerId: z.string() }),
  ],
  [
    'the recipient, whose id is data without a schema',
    async ({ step, payload, subscriber }) => payload.ownerId === subscriber.subscriberId && show(step),
  ],
  [
    'a sum over a list',
    async ({ step, payload }) => {
      const total = payload.items.reduce((sum: number, item: Data) => sum + item.quantity, 0)
      if (total > 10) await show(step)
    },
  ],
  [
    'a sum over the events of a digest',
    async ({ step }) => {
      const { events } = await step.digest('a', () => ({ amount: 1, unit: 'minutes' }))
      const total = events.reduce((sum: number, event: Data) => sum + event.payload.amount, 0)
      if (total > 1000) await show(step, `${total} due`)
    },
  ],
  [
    'a date that lies ahead',
    async ({ step, payload }) => {
      if (new Date(payload.due) > new Date()) await show(step, new Date(payload.due).getFullYear())
    },
  ],
  [
    'an object without fields',
    async ({ step, payload }) => {
      if (payload.contact && Object.keys(payload.contact).length === 0) await show(step)
    },
    z.object({ contact: z.object({ email: z.string(), phone: z.string() }).partial() }),
  ],
  [
    'a field that is not there',
    async ({ step, payload }) => {
      if (!('phone' in payload.contact)) await show(step, payload.contact.email)
    },
    z.object({ contact: z.object({ email: z.string(), phone: z.string().optional() }) }),
  ],
  [
    'any field of data that nothing describes',
    async ({ step, payload }) => {
      if (Object.keys(payload.contact ?? {}).length > 0) await show(step, payload.contact.email)
    },
  ],
  [
    'the loser of a race',
    async ({ step }) => {
      const first = await Promise.race([sms(step, 'a').then(() => 1), sms(step, 'b').then(() => 2)])
      if (first === 2) await show(step)
    },
  ],
  [
    'the last of three, behind another step',
    async ({ step }) => {
      await sms(step, 'before')
      const ids = ['a', 'b', 'c']
      const first = await Promise.race(ids.map((id) => sms(step, id).then(() => id)))
      await sms(step, 'between')
      if (first === 'c') await show(step)
    },
  ],
])('a step that discovery finds is shown behind %s', async (_name, run, payloadSchema) => {
  const shown = workflow('w', run as never, payloadSchema ? { payloadSchema } : {})
  const { body } = await ask(shown, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toContain('show')
  const answer = await preview(shown)
  expect([answer.body.options, answer.body.metadata.warnings]).toEqual([{ skip: false }, undefined])
})

test('an actor that is given is laid over the sample, and one that is not is shown', async () => {
  const shown = workflow('w', async ({ step, actor, subscriber }: Data) =>
    show(step, [actor.subscriberId, actor.firstName, subscriber.firstName]),
  )
  expect((await preview(shown)).body.outputs.text).toEqual(['actor-1', 'Grace', 'Ada'])
  const given = await preview(shown, { actor: { subscriberId: 'boss' } })
  expect(given.body.outputs.text).toEqual(['boss', 'Grace', 'Ada'])
})
