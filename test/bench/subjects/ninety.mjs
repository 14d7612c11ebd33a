import { createBridge, workflow } from '@trestle/core'

// The processor time of the first discover of 90 ordinary workflows, in milliseconds.

const text = { type: 'string' }
const payloadSchema = {
  type: 'object',
  properties: {
    id: text,
    total: { type: 'number' },
    plan: { enum: ['free', 'pro', 'team'] },
    note: text,
    items: {
      type: 'array',
      items: { type: 'object', properties: { sku: text, count: { type: 'number' } }, required: ['sku', 'count'] },
    },
  },
  required: ['id', 'total', 'plan', 'items'],
}
const controlSchema = {
  type: 'object',
  properties: { subject: { ...text, default: 'Order {{ payload.id }}' } },
  required: ['subject'],
}
const paidSchema = { type: 'object', properties: { isPaid: { type: 'boolean' } }, required: ['isPaid'] }

const kinds = [
  async ({ step, payload }) => {
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>${payload.id}</p>` }), { controlSchema })
    await step.inApp('inbox', () => ({ body: `Order ${payload.id}` }))
  },
  async ({ step, payload }) => {
    const { events } = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
    if (events.length > 1) await step.email('many', ({ subject }) => ({ subject, body: 'x' }), { controlSchema })
    else await step.push('one', () => ({ subject: payload.id, body: 'x' }))
    if (payload.note) await step.chat('note', () => ({ body: payload.note }))
  },
  async ({ step, payload }) => {
    const { isPaid } = await step.custom('look-up', () => ({ isPaid: false }), { outputSchema: paidSchema })
    if (isPaid) return
    const inbox = await step.inApp('inbox', () => ({ body: `Order ${payload.id} is due.` }))
    await step.delay('wait', () => ({ amount: 2, unit: 'days' }))
    if (!inbox.read && payload.total > 1000)
      await step.email('mail', ({ subject }) => ({ subject, body: 'x' }), { controlSchema })
    if (payload.plan === 'team') await step.push('push', () => ({ subject: 'x', body: 'x' }))
    if (payload.items.some(({ count }) => count > 10)) await step.sms('text', () => ({ body: payload.id }))
  },
]
const workflows = Array.from({ length: 90 }, (_, index) =>
  workflow(`w${index}`, kinds[index % kinds.length], { payloadSchema }),
)
const bridge = createBridge({
  workflows,
  strictAuthentication: false,
  timeoutMs: 60_000,
  logger: { warn() {}, error() {} },
})
const start = process.cpuUsage()
const reply = await bridge.fetch(new Request('http://127.0.0.1/?action=discover'))
const discovery = await reply.json()
const { user, system } = process.cpuUsage(start)
if (discovery.workflows?.some(({ steps }) => steps.some(({ reached }) => reached === false))) process.exit(1)
process.stdout.write(String((user + system) / 1000))
process.exit(reply.status === 200 ? 0 : 1)
