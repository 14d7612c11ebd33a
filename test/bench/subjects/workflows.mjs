import { discovered, mailControlSchema, payloadSchema } from './cases.mjs'

const paidSchema = {
  type: 'object',
  properties: { isPaid: { type: 'boolean' } },
  required: ['isPaid'],
  additionalProperties: false,
}

/**
 * The workflows of every subject that runs workflows; the frameworks are so similar that they share the code.
 *
 * @param {(id: string, run: Function, options?: object) => object} workflow
 * @param {'calls' | 'discover' | 'ten' | 'asking'} which - The workflows to call, the workflows that discover lists,
 * ten of these, or ten whose steps depend on data.
 */
export function toWorkflows(workflow, which) {
  const steps = (id, count) => workflow(id, toRun(count), { payloadSchema })
  if (which === 'asking')
    return Array.from({ length: 10 }, (_, index) => workflow(`w${index}`, runAsking, { payloadSchema }))
  if (which !== 'calls') {
    const count = which === 'ten' ? 10 : discovered.workflows
    return Array.from({ length: count }, (_, index) => steps(`w${index}`, discovered.steps))
  }
  const send = ({ subject, body }) => ({ subject, body })
  const raw = async ({ step }) => {
    await step.email('raw', send, { controlSchema: mailControlSchema, disableOutputSanitization: true })
  }
  const clean = async ({ step }) => {
    await step.email('clean', send, { controlSchema: mailControlSchema })
  }
  return [
    workflow('raw-mail', raw, { payloadSchema }),
    workflow('clean-mail', clean, { payloadSchema }),
    ...[1, 10, 100, 1000].map((count) => steps(`steps-${count}`, count)),
  ]
}

function toRun(count) {
  return async ({ step, payload }) => {
    for (let index = 0; index < count - 1; index++) await step.delay(`s${index}`, () => ({ amount: 1, unit: 'hours' }))
    await step.email('last', () => ({ subject: `Order ${payload.id}`, body: '<p>On its way.</p>' }), {
      disableOutputSanitization: true,
    })
  }
}

/** Its steps depend on the data, and on the result of an earlier step. */
async function runAsking({ step, payload }) {
  const { isPaid } = await step.custom('look-up', async () => ({ isPaid: false }), { outputSchema: paidSchema })
  if (isPaid) return
  await step.inApp('inbox', () => ({ subject: `Order ${payload.id}`, body: 'It is due.' }))
  await step.delay('wait', () => ({ amount: 2, unit: 'days' }))
  if (payload.total > 1000)
    await step.email('mail', () => ({ subject: `Order ${payload.id}`, body: '<p>It is due.</p>' }))
  if (payload.items?.some(({ count }) => count > 10))
    await step.sms('text', () => ({ body: `Order ${payload.id} is due.` }))
}
