import { createBridge, workflow } from '@trestle/core'
import { expect, test } from 'vitest'
import { signedRequest } from './signed-request.ts'

const secretKey = 'secret'
const hello = workflow('hello', async ({ step }) => {
  await step.custom('tell', () => ({ ok: true }))
})
const bridge = createBridge({ workflows: [hello], secretKey, strictAuthentication: true })
const call = { action: 'execute', workflowId: 'hello', stepId: 'tell' } as const

test('creates the request that the service sends', async () => {
  const request = await signedRequest(call, { secretKey, nowMs: 7, url: 'https://app.example.com/api/bridge?tenant=a' })
  expect(request).toEqual({
    url: 'https://app.example.com/api/bridge?tenant=a&action=execute&workflowId=hello&stepId=tell',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-signature': expect.stringMatching(/^t=7,v1=[0-9a-f]{64}$/),
    },
    body: '{}',
  })
})

test.each([
  ['an object', { ...call, body: { payload: {} } }, 200],
  ['a text, sent as it is', { ...call, body: '{ "payload": {} }' }, 200],
  ['nothing', call, 200],
  ['a GET, which has none', { action: 'discover', body: { ignored: true } } as const, 200],
  ['a text that is no JSON', { ...call, body: 'no' }, 400],
])('is accepted by a bridge with %s as its body', async (_what, description, status) => {
  const { url, ...rest } = await signedRequest(description, { secretKey })
  expect('body' in rest).toBe(rest.method === 'POST')
  expect((await bridge.fetch(new Request(url, rest))).status).toBe(status)
})
