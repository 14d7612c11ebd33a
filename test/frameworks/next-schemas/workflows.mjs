import { workflow } from '@trestle/core'
import * as v from 'valibot'
import { z } from 'zod'
import { z as z3 } from 'zod3'

const body = async ({ step, payload }) => {
  await step.sms('text', () => ({ body: `Order ${payload.id}` }))
}

/** One workflow per library, including Zod 3 and Valibot, which need another package to publish their schemas. */
export const workflows = [
  workflow('zod', body, { payloadSchema: z.object({ id: z.string() }) }),
  workflow('zod-3', body, { payloadSchema: z3.object({ id: z3.string() }) }),
  workflow('valibot', body, { payloadSchema: v.object({ id: v.string() }) }),
  workflow('json-schema', body, {
    payloadSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  }),
]
