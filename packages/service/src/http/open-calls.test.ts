import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { describe, expect, type TestContext, test } from 'vitest'
import { productionKey, startTestService } from '../operations/service.fixture.ts'

const signingSecret = 'signing-secret'
const path = '/v1/agents/support/slack/desk'
const challenge = JSON.stringify({ type: 'url_verification', challenge: 'c' })

function sign(body: string, secret = signingSecret, seconds = Math.floor(Date.now() / 1000)) {
  const mac = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${mac}`,
  }
}

async function start(context: TestContext) {
  const tested = await startTestService('sqlite', context, { plan: 'free' })
  // Production is not the first environment.
  const response = await tested.callWith(productionKey)('POST', '/v1/integrations', {
    ...{ providerId: 'slack', identifier: 'desk', kind: 'agent', active: true },
    credentials: { token: 'xoxb', signingSecret },
  })
  expect(response.status).toBe(201)
  const post = (headers: Record<string, string>, to = path) =>
    fetch(tested.service.url + to, { method: 'POST', headers, body: challenge })
  const buckets = () => tested.service.store.db.selectFrom('rateBuckets').selectAll().execute()
  return { ...tested, post, buckets }
}

describe('a call without a key', () => {
  test('does not use up an environment’s rate limit before it is authenticated', async (context) => {
    const { post, call, buckets, environmentId, service } = await start(context)
    const before = await buckets()
    for (let index = 0; index < 200; index++) {
      const headers = index % 2 === 0 ? sign(challenge, 'another') : { 'x-slack-signature': 'v0=00' }
      expect((await post(headers, index % 3 === 0 ? '/v1/agents/x/slack/y' : path)).status).toBe(401)
      const callback = `/v1/subscribers/ada/credentials/slack/oauth/callback?code=c&state=s${index}`
      expect((await fetch(service.url + callback)).status).toBe(400)
    }
    expect(await buckets()).toEqual(before)
    for (let index = 0; index < 60; index++) expect((await post(sign(challenge))).status).toBe(200)
    const after = await buckets()
    expect(after.some((bucket) => bucket.environmentId === environmentId && bucket.category === 'global')).toBe(false)
    expect((await call('GET', '/v1/feeds')).status).toBe(200)
  })

  test('with a malformed signature is rejected before its body is received', async (context) => {
    const { service } = await start(context)
    const { hostname, port, host } = new URL(service.url)
    const refusedEarly = (target: string, headers: Record<string, string>): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname)
        context.onTestFinished(() => void socket.destroy())
        const lines = Object.entries({ host, 'content-length': '1000000', ...headers }).map(
          ([name, value]) => `${name}: ${value}`,
        )
        socket.write(`POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`)
        socket.on('data', (chunk) => resolve(String(chunk).split('\r\n', 1)[0] ?? '')).on('error', reject)
      })
    const old = Math.floor(Date.now() / 1000) - 600
    for (const [target, headers] of [
      [path, {}],
      [path, { 'x-slack-signature': 'v0=00', 'x-slack-request-timestamp': '1' }],
      [path, sign(challenge, signingSecret, old)],
      ['/v1/agents/x/slack/unknown', sign(challenge)],
    ] as const)
      expect(await refusedEarly(target, { ...headers })).toBe('HTTP/1.1 401 Unauthorized')
  })

  test('shares a limit with others of its size, of which only received bytes count, and times out', {
    timeout: 40_000,
  }, async (context) => {
    const { service, post } = await start(context)
    const { hostname, port, host } = new URL(service.url)
    const answers: string[] = []
    const sockets: Socket[] = []
    for (let index = 0; index < 50; index++) {
      const socket = connect(Number(port), hostname)
      context.onTestFinished(() => void socket.destroy())
      const lines = Object.entries({ host, 'content-length': '1048576', ...sign(challenge) }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      sockets.push(socket)
      socket.on('data', (chunk) => answers.push(String(chunk).split('\r\n', 1)[0] ?? '')).on('error', () => undefined)
    }
    // A caller that declares a size but sends nothing does not block others.
    expect((await post(sign(challenge))).status).toBe(200)
    const part = 'x'.repeat(1_000_000)
    for (const socket of sockets) socket.write(part)
    // The limit is 32 MiB. At least 17 requests are rejected immediately, and the others after their timeout.
    await expect.poll(() => answers.length, { timeout: 4_000 }).toBeGreaterThanOrEqual(17)
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503 Service Unavailable']))
    const session = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await fetch(`${service.url}/v1/inbox/session`, session)).status).toBeLessThan(500)
    await expect.poll(() => answers.length, { timeout: 15_000 }).toBe(50)
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503 Service Unavailable', 'HTTP/1.1 408 Request Timeout']))
    expect((await post(sign(challenge))).status).toBe(200)
  })
})
