import { expect, test } from 'vitest'
import { operations } from '../operations/operations.ts'
import { createRouter } from './router.ts'

const router = createRouter(operations)

function messageOf(line: string): string {
  const [method = '', path = ''] = line.split(' ')
  try {
    return router.match(method, path).operation.name
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  ['POST /v1/events/trigger/', 'events.trigger'],
  ['GET /v1/subscribers/ada/', 'subscribers.getV1'],
  ['GET /v1/topics/', 'topics.listV1'],
])('ignores a trailing slash: %s is %s', (line, name) => {
  expect(messageOf(line)).toBe(name)
})

test.each([
  ['GET /v1/notification-templates', 'workflows.listV1'],
  ['POST /v1/notification-templates', 'workflows.createV1'],
  ['PUT /v1/notification-templates/a/status', 'workflows.updateStatusV1'],
  ['DELETE /v1/notification-templates/a', 'workflows.deleteV1'],
])('treats %s from older clients as %s', (line, name) => {
  expect(messageOf(line)).toBe(name)
})

test.each(['PUT /v1/topics', 'PUT /v1/topics/', 'GET /v1/events/trigger/'])('rejects the method of %s', (line) => {
  expect(messageOf(line)).toContain('; allowed: ')
})

test('excludes a trailing slash from a parameter', () => {
  expect(router.match('GET', '/v2/topics/a%2Fb/').params).toEqual({ topicKey: 'a/b' })
})

const trigger = 'POST /v1/events/trigger'

test.each([
  // A base URL with a trailing slash, joined with a path.
  ['POST //v1/events/trigger', trigger],
  ['POST /v1//events/trigger', trigger],
  ['POST /v1/events/trigger//', trigger],
  // The version is already in the base URL, or is missing.
  ['POST /v1/v1/events/trigger', trigger],
  ['POST /events/trigger', trigger],
  ['POST /api/v1/events/trigger', trigger],
  ['POST /api//v1/events/trigger', trigger],
  ['POST /v2/events/trigger', trigger],
  ['POST /V1/Events/Trigger', trigger],
  ['GET /api/v2/subscribers/Ada', 'GET /v2/subscribers/{subscriberId}'],
  ['PUT /v2/subscribers/ada/credentials', 'PUT /v1/subscribers/{subscriberId}/credentials'],
])('for %s, suggests %s', (line, meant) => {
  expect(messageOf(line)).toBe(`Cannot ${line}. Did you mean ${meant}?`)
})

test.each(['GET /', 'GET /v1', 'GET /v1/', 'GET /v1/nothing', 'POST /api', 'GET //', 'GET /v1/%zz/%', 'GET /v1/v2'])(
  'suggests nothing for %s',
  (line) => {
    expect(messageOf(line)).toBe(`Cannot ${line}`)
  },
)
