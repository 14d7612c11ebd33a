import { sign } from '@trestle/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { handler } from '../../examples/lambda/src/handler.ts'

const secret = 'the secret key of the environment'

test('the Lambda example responds to an event with uppercase letters in header names', async () => {
  process.env['SERVICE_SECRET_KEY'] = secret
  onTestFinished(() => void delete process.env['SERVICE_SECRET_KEY'])
  const body = JSON.stringify({ payload: { code: '123456' }, controls: {}, state: [], subscriber: {} })
  const { statusCode, body: answer } = await handler({
    rawPath: '/api/bridge',
    rawQueryString: 'action=execute&workflowId=sign-in-code&stepId=code',
    headers: { 'Service-Signature': await sign(secret, body) },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { http: { method: 'POST' } },
  })
  expect([statusCode, JSON.parse(answer).outputs.body]).toEqual([
    200,
    '123456 is your code. It is valid for 5 minutes.',
  ])
})
