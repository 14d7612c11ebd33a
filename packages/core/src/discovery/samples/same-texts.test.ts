import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const discover = async (run: (context: Data) => unknown, payloadSchema?: z.ZodType): Promise<Data> => {
  const { body } = await ask(workflow('w', run as never, payloadSchema ? { payloadSchema } : {}), {
    action: 'discover',
  })
  expect(body.message).toBeUndefined()
  return body.workflows[0]
}

const owner = z.object({ ownerId: z.string() })
const isSame = (left: Data, right: Data): boolean => left?.subscriberId === right.subscriberId

test.each<[string, (context: Data) => boolean, z.ZodType | undefined]>([
  ['the actor is the recipient', ({ actor, subscriber }) => actor?.subscriberId === subscriber.subscriberId, undefined],
  [
    'the actor is another',
    ({ actor, subscriber }) => actor && actor.subscriberId !== subscriber.subscriberId,
    undefined,
  ],
  ['asked elsewhere', ({ actor, subscriber }) => isSame(actor, subscriber), undefined],
  ['the recipient asked first', (c) => c.subscriber.subscriberId === c.actor?.subscriberId, undefined],
  ['an actor with one address', ({ actor, subscriber }) => actor?.email === subscriber.email, undefined],
  ['an actor with another address', ({ actor, subscriber }) => actor && actor.email !== subscriber.email, undefined],
  ['no actor', ({ actor }) => !actor, undefined],
  ['an actor', ({ actor }) => actor !== undefined, undefined],
  ['an actor, needed elsewhere', ({ actor, payload }) => !actor && payload.ownerId === '', owner],
  ['a text and the recipient', ({ payload, subscriber }) => payload.ownerId === subscriber.subscriberId, owner],
  ['the recipient and a text', ({ payload, subscriber }) => subscriber.subscriberId === payload.ownerId, owner],
  ['a text and the actor', ({ payload, actor }) => payload.ownerId === actor?.subscriberId, owner],
  ['without a schema', ({ payload, subscriber }) => payload.ownerId === subscriber.subscriberId, undefined],
  ['two texts without a schema', ({ payload }) => Boolean(payload.a) && payload.a === payload.b, undefined],
  [
    'a text with a format',
    ({ payload, subscriber }) => subscriber.subscriberId === payload.id,
    z.object({ id: z.string().uuid() }),
  ],
  [
    'two texts of one format',
    ({ payload }) => payload.from !== payload.to,
    z.object({ from: z.string().email(), to: z.string().email() }),
  ],
  [
    'a text that is transformed',
    ({ payload, subscriber }) => subscriber.subscriberId === payload.ownerId,
    z.object({ ownerId: z.string().trim() }),
  ],
  [
    'a variable',
    ({ payload, subscriber }) => {
      const me = subscriber.subscriberId
      const { ownerId } = payload
      return ownerId === me
    },
    owner,
  ],
  [
    'one of a list',
    ({ payload, subscriber }) => payload.ids.includes(subscriber.subscriberId),
    z.object({ ids: z.array(z.string()) }),
  ],
  [
    'one of a list of objects',
    ({ payload, subscriber }) => payload.users.some((user: Data) => user.id === subscriber.subscriberId),
    z.object({ users: z.array(z.object({ id: z.string() })) }),
  ],
  ['a property by its name', ({ payload, subscriber }) => payload['ownerId'] === subscriber['subscriberId'], owner],
  ['Object.is', ({ payload, subscriber }) => Object.is(payload.ownerId, subscriber.subscriberId), owner],
])('both sides of a comparison of data are found: %s', async (_name, isMet, payloadSchema) => {
  const run = async (context: Data): Promise<void> => {
    if (isMet(context)) await context.step.sms('yes', () => ({ body: 'y' }))
    else await context.step.sms('no', () => ({ body: 'n' }))
  }
  // The literals of a function are those of its own text.
  run.toString = () => String(isMet)
  const { steps, warnings } = await discover(run, payloadSchema)
  expect(steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'yes'])
  expect(warnings).toEqual([])
})

test('who did it is not told, and all that follows is listed', async () => {
  const { steps, warnings } = await discover(async ({ step, actor, subscriber }) => {
    if (actor?.subscriberId === subscriber.subscriberId) return
    await step.sms('tell', () => ({ body: 'x' }))
  })
  expect([steps.map(({ stepId }: Data) => stepId), warnings]).toEqual([['tell'], []])
})

test('beside other work, too', async () => {
  const { steps } = await discover(async ({ step, actor, subscriber }) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (!actor) await step.sms('nobody', () => ({ body: 'x' }))
    else if (actor.subscriberId === subscriber.subscriberId) await step.sms('self', () => ({ body: 'x' }))
    else await step.sms('other', () => ({ body: 'x' }))
  })
  expect(steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['nobody', 'other', 'self'])
})

test.each<[string, (context: Data) => unknown, number]>([
  ['reads neither', () => undefined, 3],
  ['reads the recipient', ({ subscriber: { subscriberId } }) => subscriberId, 3],
  ['reads two texts and does not compare them', ({ payload: { a, b } }) => [a, b], 9],
])('no more runs are made for a function that %s', async (_name, run, most) => {
  let runs = 0
  const counted = (context: Data): unknown => {
    runs++
    run(context)
    return context.step.sms('tell', () => ({ body: 'x' }))
  }
  counted.toString = () => String(run)
  await discover(counted, z.object({ a: z.string(), b: z.string() }))
  expect(runs).toBeLessThanOrEqual(most)
})
