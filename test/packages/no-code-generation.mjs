// Run with --disallow-code-generation-from-strings: a signed call that needs templates, both kinds of schema and HTML.
import { workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { sign } from '@trestle/protocol'
import { Hono } from 'hono'
import { z } from 'zod'

const order = workflow(
  'order',
  async ({ step, payload }) => {
    await step.email('mail', (controls) => ({ subject: controls.subject, body: `<p>${controls.count}</p>` }), {
      controlSchema: {
        type: 'object',
        properties: {
          subject: { type: 'string', default: 'Order {{ payload.id }} for {{ subscriber.firstName }}' },
          count: { type: 'number', default: '{{ payload.items.size }}' },
        },
        required: ['subject', 'count'],
        additionalProperties: false,
      },
      skip: () => payload.id === '',
    })
  },
  { payloadSchema: z.object({ id: z.string(), items: z.array(z.string()) }) },
)

const secretKey = 'secret'
const app = new Hono().all('/api/bridge', serve({ workflows: [order], secretKey, strictAuthentication: true }))

async function call(action, body) {
  const text = body && JSON.stringify(body)
  const headers = { 'service-signature': await sign(secretKey, text ?? '{}'), 'content-type': 'application/json' }
  const target = `/api/bridge?action=${action}&workflowId=order&stepId=mail`
  const response = await app.request(target, { method: text ? 'POST' : 'GET', headers, body: text })
  const answer = await response.text()
  return { status: response.status, text: answer, body: JSON.parse(answer) }
}

function generates() {
  try {
    return new Function('return true')()
  } catch {
    return false
  }
}

const payload = { id: '7', items: ['a', 'b'] }
const execute = await call('execute', { payload, subscriber: { firstName: 'Ada' } })
const refused = await call('execute', { payload: { id: 7 } })
const discover = await call('discover')
const preview = await call('preview', {})
process.stdout.write(
  JSON.stringify({
    generates: generates(),
    execute: [execute.status, execute.body.outputs ?? execute.body],
    refused: [refused.status, refused.body.code],
    discover: [discover.status, discover.body.workflows?.map(({ workflowId }) => workflowId) ?? discover.body],
    preview: preview.status,
    manifest: discover.text,
  }),
)
