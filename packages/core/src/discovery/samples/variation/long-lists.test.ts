import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Data, sidesOf } from '../everyday.fixture.ts'

const payloadSchema = z.object({
  kind: z.string(),
  n: z.number(),
  roles: z.array(z.string()),
  items: z.array(z.object({ sku: z.string(), tags: z.array(z.string()) })),
})

test('a number is not the length of lists within lists, which would multiply', async () => {
  const isMet = async ({ step, payload }: Data): Promise<boolean> => {
    const { events } = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
    return events.some((event: Data) => event.payload.kind === 'paid') && payload.n > 90
  }
  expect(await sidesOf(isMet, { payloadSchema })).toEqual(['no', 'yes'])
})
