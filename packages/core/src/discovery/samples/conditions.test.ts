import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const text = z.object({ text: z.string() })

test.each<[string, (context: Data) => boolean | Promise<boolean>, z.ZodType | undefined]>([
  ['a longer text', ({ payload }) => payload.text.length > 10, text],
  ['a text of one length', ({ payload }) => payload.text.trim().length === 7, text],
  [
    'a text within its limits',
    ({ payload }) => payload.text.length < 30,
    z.object({ text: z.string().min(20).max(40) }),
  ],
  ['a late date', ({ payload }) => payload.at > '2027', z.object({ at: z.iso.datetime() })],
  ['an early date', ({ payload }) => payload.at < '2020-05-01', z.object({ at: z.iso.datetime() })],
  ['a day', ({ payload }) => new Date(payload.on) > new Date('2030-01-01'), z.object({ on: z.iso.date() })],
  ['a text that is a great number', ({ payload }) => Number(payload.text) > 10, text],
  ['a text that is one number', ({ payload }) => Number.parseInt(payload.text, 10) === 5, text],
  ['true', ({ payload }) => payload.vip === true, undefined],
  ['false', ({ payload }) => payload.vip === false, undefined],
  ['null', ({ payload }) => payload.vip === null, undefined],
  ['minified', ({ payload: e }) => e.vip === !0, undefined],
  ['a word in front', ({ payload }) => true === payload.vip, undefined],
  ['not true', ({ payload }) => payload.vip !== true, undefined],
  ['a field that may be anything', ({ payload }) => payload.vip === true, z.object({ vip: z.any() })],
  ['a variable', ({ env }) => env.DEBUG === false, undefined],
  ['free fields of the recipient', ({ subscriber }) => subscriber.data?.optIn === true, undefined],
  ['the time zone of the recipient', ({ subscriber }) => Boolean(subscriber.timezone), undefined],
  ['another time zone', ({ subscriber }) => subscriber.timezone === 'Asia/Tokyo', undefined],
])('both sides of a condition are found: %s', async (_name, isMet, payloadSchema) => {
  const run = async (context: Data): Promise<void> => {
    if (await isMet(context)) await context.step.sms('yes', () => ({ body: 'y' }))
    else await context.step.sms('no', () => ({ body: 'n' }))
  }
  // The literals of a function are those of its own text.
  run.toString = () => String(isMet)
  const { body } = await ask(workflow('w', run, payloadSchema ? { payloadSchema } : {}), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'yes'])
})

test('a result without a schema is compared with true', async () => {
  const tested = workflow('w', async ({ step }: Data) => {
    const { sent } = await step.custom('send', () => ({ sent: true }))
    if (sent === true) await step.sms('yes', () => ({ body: 'y' }))
    else await step.sms('no', () => ({ body: 'n' }))
  })
  const { body } = await ask(tested, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId).sort()).toEqual(['no', 'send', 'yes'])
})
