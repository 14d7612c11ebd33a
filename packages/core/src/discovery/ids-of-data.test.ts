import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { discoverWhole } from '../call-bridge.fixture.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'
import { workflow } from '../workflow/workflow.ts'

const payloadSchema = z.object({
  total: z.number(),
  name: z.string(),
  items: z.array(z.string()),
  level: z.enum(['1', '2']),
  stage: z.union([z.literal(1), z.literal(2)]),
  rank: z.number().int().min(1).max(3),
  email: z.email(),
})
type Data = z.infer<typeof payloadSchema>
const sms = (step: Step<Data>, id: string): Promise<unknown> => step.sms(id, () => ({ body: '' }))
const tell = (step: Step<Data>, _text: string, id = 'name'): Promise<unknown> => sms(step, id)
const remind = (step: Step<Data>, count: number): Promise<unknown> => sms(step, `reminder-${count}`)

describe('step ids made of data', () => {
  test.each<[string, boolean, (context: { step: Step<Data>; payload: Data }) => Promise<unknown>]>([
    ['a number', true, async ({ step, payload }) => sms(step, `text-${payload.total}`)],
    [
      'a number that a condition compares',
      true,
      async ({ step, payload }) => {
        if (payload.total < 10_000) await sms(step, `text-${payload.total}`)
      },
    ],
    ['a text', true, async ({ step, payload }) => sms(step, `text-${payload.name}`)],
    [
      'the number of an item',
      false,
      async ({ step, payload }) => {
        for (const [index] of payload.items.entries()) await sms(step, `item-${index}`)
      },
    ],
    [
      'fixed numbers in branches',
      false,
      async ({ step, payload }) => {
        if (payload.total > 5) await sms(step, 'plan-1')
        else await sms(step, 'plan-2')
      },
    ],
    [
      'the same word as a field, in a helper',
      false,
      async ({ step, payload }) => {
        const text = `${payload.name} ${payload.total}`
        await tell(step, text)
      },
    ],
    [
      'fixed numbers that a helper is given',
      false,
      async ({ step, payload }) => {
        if (payload.total > 5) await remind(step, 1)
        else await remind(step, 2)
      },
    ],
    ['a value of an enum', false, async ({ step, payload }) => sms(step, `level-${payload.level}`)],
    ['a value of a literal', false, async ({ step, payload }) => sms(step, `stage-${payload.stage}`)],
    ['a number within limits', true, async ({ step, payload }) => sms(step, `rank-${payload.rank}`)],
    ['an email address', true, async ({ step, payload }) => sms(step, `mail-${payload.email}`)],
    ['what a helper makes of a text', true, async ({ step, payload }) => tell(step, payload.name, payload.name)],
  ])('%s: a warning is %j', async (_name, warned, run) => {
    const { body } = await discoverWhole(workflow('w', run, { payloadSchema }))
    const codes = body.workflows[0].warnings.map(({ code }: { code: string }) => code)
    expect(codes.includes('StepIdFromData')).toBe(warned)
  })
})
