import { createBridge } from '@trestle/core'
import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { orderShipped as mjml } from '../../examples/email/src/mjml.ts'
import { orderShipped as plain } from '../../examples/email/src/plain.ts'
import { orderShipped as react } from '../../examples/email/src/react.tsx'

const workflows = [plain, mjml, react]
const bridge = createBridge({ workflows, strictAuthentication: false, logger: { warn() {}, error() {} } })
const items = [
  { name: 'Tea & <b>biscuits</b>', quantity: 2 },
  { name: 'Cup', quantity: 1 },
]
const payload = { orderId: 'o-1', trackingUrl: 'https://track.test/?a=1&b=2', items }

interface Answer {
  readonly outputs: { readonly subject: string; readonly body: string }
  readonly providers: { readonly nodemailer: { readonly text: string } }
}

async function call(action: 'execute' | 'preview', workflowId: string, event: object): Promise<Answer> {
  const url = `http://localhost/?action=${action}&workflowId=${workflowId}&stepId=email`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ payload: {}, controls: {}, state: [], subscriber: {}, ...event })
  const response = await bridge.fetch(new Request(url, { method: 'POST', headers, body }))
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

describe.each(workflows.map(({ id }) => id))('%s', (id) => {
  test('has its subject, its HTML and plain text with the same content', async () => {
    const { outputs, providers } = await call('execute', id, { payload, subscriber: { firstName: 'Ada' } })
    expect(outputs.subject).toBe('Your order o-1 is on its way')
    expect(outputs.body).toMatch(/^\s*<!doctype html/i)
    expect(parse(outputs.body).nodeName).toBe('#document')
    // Payload values are text, never markup of the email.
    expect(outputs.body).toContain('Tea &amp; &lt;b&gt;biscuits&lt;/b&gt;')
    expect(outputs.body).toContain('href="https://track.test/?a=1&amp;b=2"')
    expect(outputs.body).toContain('Thank you, Ada.')
    const text = providers.nodemailer.text.replaceAll(/\s+/g, ' ').toLowerCase()
    expect(text).toContain('tea & <b>biscuits</b>')
    expect(text).toContain('your order o-1 is on its way')
    expect(text).toContain('https://track.test/?a=1&b=2')
    expect(text).toContain('thank you, ada.')
    expect(text).not.toMatch(/<td|<table|font-family/)
  })

  test('is previewed with a sample payload', async () => {
    const { outputs } = await call('preview', id, {})
    expect(outputs.subject).toBe('Your order orderId is on its way')
    expect(outputs.body).toContain('Thank you, Ada.')
  })

  test('uses its stored controls', async () => {
    const controls = { subject: 'News of {{ payload.orderId }}', closing: '<3' }
    const { outputs } = await call('execute', id, { payload, controls })
    expect(outputs.subject).toBe('News of o-1')
    expect(outputs.body).toContain('&lt;3')
  })
})

test('keeps the markup that email clients require', async () => {
  const fromMjml = (await call('execute', mjml.id, { payload })).outputs.body
  expect(fromMjml).toContain('<!--[if mso | IE]>')
  expect(fromMjml).toContain('<!--[if mso]>')
  expect(fromMjml).toContain('<o:AllowPNG/>')
  expect(fromMjml).toContain('@media only screen')
  const fromReact = (await call('execute', react.id, { payload })).outputs.body
  expect(fromReact).toContain('role="presentation"')
  expect(fromReact).toContain('<!--[if mso]>')
})
