import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FailedAttempt } from './bridge-call.ts'
import { createBridgePort } from './bridge-port.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { maskSecrets } from './mask-secrets.ts'

let listener: RequestListener = () => undefined
const server = createServer((request, response) => listener(request, response))
let bridgeUrl = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`
})
afterAll(() => server.close())

const target = (): BridgeTarget => ({
  environmentId: 'e',
  name: 'Development',
  type: 'dev',
  secretKey: 'sk_of_the_environment',
  bridgeUrl: `${bridgeUrl}?token=in-the-query`,
  variables: { REGION: 'eu', PASSWORD: 'open-sesame' },
  secretKeys: ['PASSWORD'],
  secrets: ['open-sesame'],
})
const call = (more: object = {}) => ({
  target: target(),
  bridgeUrl: null,
  action: 'execute' as const,
  workflowId: 'w',
  stepId: 's',
  event: { payload: { n: 1 }, jobId: 'j' },
  ...more,
})
const settings = { policy: 'off', sleep: async () => undefined } as const

test('sends environment variables, and masks secrets in the record', async () => {
  let seen: unknown
  listener = async (request, response) => {
    seen = await json(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ outputs: { body: 'say open-sesame', 'open-sesame': 1 } }))
  }
  const { reply, failure, record } = await createBridgePort(settings).callStep(call())
  expect(failure).toBeUndefined()
  expect(seen).toEqual({
    payload: { n: 1 },
    jobId: 'j',
    env: { name: 'Development', type: 'dev', REGION: 'eu', PASSWORD: 'open-sesame' },
  })
  const env = { name: 'Development', type: 'dev', REGION: 'eu' }
  for (const other of [`${bridgeUrl}/of-a-trigger`, bridgeUrl, `${bridgeUrl}?token=in-the-query#`]) {
    await createBridgePort(settings).callStep(call({ bridgeUrl: other }))
    expect(seen).toEqual({ payload: { n: 1 }, jobId: 'j', env })
  }
  await createBridgePort(settings).callStep(call({ bridgeUrl: target().bridgeUrl }))
  expect(seen).toMatchObject({ env: { PASSWORD: 'open-sesame' } })
  // Fills in fields that another bridge version omits.
  expect(reply).toEqual({
    outputs: { body: 'say open-sesame', 'open-sesame': 1 },
    providers: {},
    options: { skip: false },
  })
  expect(record).toMatchObject({
    url: bridgeUrl,
    status: 200,
    attempts: [],
    request: { action: 'execute', workflowId: 'w', stepId: 's', event: { env: { REGION: 'eu', PASSWORD: '******' } } },
    reply: { outputs: { body: 'say ******', '******': 1 } },
  })
  expect(JSON.stringify(record)).not.toMatch(/sesame|sk_of_the_environment|in-the-query/)
})

test('records each failed attempt of a retried call', async () => {
  listener = (_request, response) => response.destroy()
  const reportedAttempts: FailedAttempt[] = []
  const port = createBridgePort({ ...settings, onAttempt: (attempt) => reportedAttempts.push(attempt) })
  const { reply, failure, record } = await port.callStep(call())
  expect(reply).toBeUndefined()
  expect(failure).toMatchObject({ code: 'ECONNRESET', status: 400 })
  expect(record.attempts.map(({ attempt, waitMs }) => [attempt, waitMs])).toEqual([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [4, null],
  ])
  expect(reportedAttempts).toEqual(record.attempts)
  expect([record.status, record.reply]).toEqual([400, expect.objectContaining({ code: 'ECONNRESET' })])
})

test('prefers the address from the trigger, and fails if there is none', async () => {
  const port = createBridgePort(settings)
  const { failure } = await port.callStep(call({ target: { ...target(), bridgeUrl: null } }))
  expect(failure?.code).toBe('InvalidBridgeUrl')
  listener = (_request, response) => response.end(JSON.stringify({ outputs: {} }))
  expect((await port.callStep(call({ target: { ...target(), bridgeUrl: null }, bridgeUrl }))).reply).toBeDefined()
})

test('rejects a canceled call with its abort reason', async () => {
  listener = () => undefined
  const controller = new AbortController()
  const calling = createBridgePort(settings).callStep(call({ signal: controller.signal }))
  controller.abort(new Error('stopping'))
  await expect(calling).rejects.toThrow('stopping')
})

describe('a masked value', () => {
  test.each([
    [{ a: ['xsecretx', 1, null, true] }, ['secret'], { a: ['x******x', 1, null, true] }],
    [['abc', 'ab'], ['ab'], ['abc', '******']],
    ['longersecret', ['secret', 'longersecret'], '******'],
    ['same', [''], 'same'],
    [JSON.stringify({ a: 'x"y\\z' }), ['x"y\\z'], '{"a":"******"}'],
    ['GET /?a=x%20%26%C3%A9 failed', ['x &é'], 'GET /?a=****** failed'],
    ['GET /?a=it%27s+%28me%29 failed', ["it's (me)"], 'GET /?a=****** failed'],
    ['half \ud83d0000', ['\ud83d0000'], 'half ******'],
    ['a"b', ['"'], 'a"b'],
  ])('%j: hides the secrets %j', (value, secrets, masked) => {
    expect(maskSecrets(value, secrets)).toEqual(masked)
  })
})
