import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../call-bridge.fixture.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'
import { workflow } from '../workflow/workflow.ts'

type Data = { readonly total: number; readonly name: string; readonly items: readonly string[] }
const payloadSchema = z.object({ total: z.number(), name: z.string(), items: z.array(z.string()) })
const sms = (step: Step<Data>, id: string): Promise<unknown> => step.sms(id, () => ({ body: '' }))

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
  ])('%s: a warning is %j', async (_name, warned, run) => {
    const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
    const codes = body.workflows[0].warnings.map(({ code }: { code: string }) => code)
    expect(codes.includes('StepIdFromData')).toBe(warned)
  })
})
