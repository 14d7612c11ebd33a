import { type LambdaEvent, serve } from '@trestle/lambda'
import { expect, test } from 'vitest'
import { lambdaMounts } from './mounts/lambda.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of lambdaMounts.entries()) conformance(mount, index === 0 ? 'adapter' : 'variant')

test.each([null, undefined])('an invalid event gets the response of a health check: %s', async (event) => {
  const reply = await serve({ secretKey: 'k' })(event as never)
  expect([reply.statusCode, reply.body]).toEqual([200, '{"status":"ok"}'])
})

test.each<[what: string, event: LambdaEvent, status: number]>([
  ['a body that is not base64', { httpMethod: 'POST', body: '%%%', isBase64Encoded: true }, 401],
  ['half of a character in the query', { httpMethod: 'GET', queryStringParameters: { action: '\ud800' } }, 401],
  ['an event with nothing in it', {}, 200],
])('an event that no gateway sends gets a response: %s', async (_what, event, status) => {
  const handler = serve({ secretKey: 'k', strictAuthentication: true, logger: { warn() {}, error() {} } })
  const signed = { ...event, headers: { 'service-signature': `t=${Date.now()},v1=${'0'.repeat(64)}` } }
  const reply = await handler(event.httpMethod === 'POST' ? signed : event)
  expect(JSON.parse(reply.body)).toBeTypeOf('object')
  expect(reply.statusCode).toBe(status)
})

test.each<[what: string, event: object, named: string]>([
  ['a queue', { Records: [{ messageId: '1', body: '{}', eventSource: 'aws:sqs' }] }, '"aws:sqs"'],
  ['a topic', { Records: [{ EventSource: 'aws:sns', Sns: {} }] }, '"aws:sns"'],
  ['a stream of another form', { eventSource: 'aws:kafka', records: { 'orders-0': [] } }, '"aws:kafka"'],
  ['a message broker', { eventSource: 'aws:mq', messages: [{ messageID: '1', data: '' }] }, '"aws:mq"'],
  ['a pipe', [{ messageId: '1', body: '{}', eventSource: 'aws:sqs' }], '"aws:sqs"'],
  ['a log', { awslogs: { data: '' } }, 'a log'],
  ['records of an unknown source', { Records: [] }, 'records'],
  ['an event bus', { source: 'aws.ec2', 'detail-type': 'State changed', detail: {} }, '"aws.ec2"'],
])('rejects an event of %s, so that its source keeps it', async (_what, event, named) => {
  await expect(serve({ secretKey: 'k' })(event)).rejects.toThrow(`received an event from ${named}.`)
})

test('accepts a scheduled event that keeps the function warm', async () => {
  const reply = await serve({ secretKey: 'k' })({ source: 'aws.events', 'detail-type': 'Scheduled Event' } as never)
  expect([reply.statusCode, reply.body]).toEqual([200, '{"status":"ok"}'])
})
