import { expect, test, vi } from 'vitest'
import { serveSmtp } from '../channels/email/smtp-server.fixture.ts'
import { serveBridge } from './bridge.fixture.ts'
import { operations } from './operations.ts'
import { secretKey, startTestService } from './service.fixture.ts'

const path = (name: string): string => operations.find((one) => one.name === name)?.path ?? ''

test('never returns or logs a stored secret', async (context) => {
  const bridge = await serveBridge()
  const { call, environmentId, log, service } = await startTestService('sqlite', context, {
    work: true,
    logLevel: 'trace',
  })
  const values = [{ _environmentId: environmentId, value: 'canary-variable' }]
  await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
  await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
  const { port } = await serveSmtp({ user: 'canary-user', password: 'another' })
  const credentials = {
    host: '127.0.0.1',
    port: String(port),
    user: 'canary-user',
    password: 'canary-password',
    from: 'a@b.example',
  }
  const integrationResponse = await call('POST', '/v1/integrations', {
    providerId: 'nodemailer',
    identifier: 'mail',
    active: true,
    credentials,
  })
  await call('POST', '/v1/integrations', {
    providerId: 'slack',
    identifier: 'slack',
    credentials: { webhookUrl: 'http://127.0.0.1:9/canary-hook' },
  })
  const auth = { accessToken: 'canary-access', refreshToken: 'canary-refresh' }
  await call('POST', '/v1/channel-connections', {
    identifier: 'c1',
    integrationIdentifier: 'slack',
    workspace: { id: 'W' },
    auth,
  })
  const endpoint = { type: 'opsgenie_integration', endpoint: { apiKey: 'canary-endpoint', region: 'eu' } }
  const subscriber = { subscriberId: 'ada', email: 'ada@example.com' }
  const trigger = { name: 'welcome', to: subscriber, payload: {} }
  const { transactionId } = (await call('POST', '/v1/events/trigger', trigger)).body.data
  await vi.waitFor(async () => {
    const job = await service.store.db
      .selectFrom('jobs')
      .select('id')
      .where('status', '=', 'delayed')
      .executeTakeFirst()
    expect((await call('POST', `/v1/studio/jobs/${job?.id}/skip-wait`)).status).toBe(200)
  }, 15_000)
  await call('POST', '/v1/channel-endpoints', {
    identifier: 'e1',
    integrationIdentifier: 'slack',
    subscriberId: 'ada',
    ...endpoint,
  })
  const failed = await vi.waitFor(async () => {
    const { data } = (await call('GET', `/v1/messages?channel=email&transactionId=${transactionId}`)).body
    expect(data).toMatchObject([{ status: 'error' }])
    return data[0]
  }, 15_000)

  const parameters: Readonly<Record<string, string>> = {
    subscriberId: 'ada',
    variableKey: 'TOKEN',
    integrationId: integrationResponse.body.data._id,
    runId: failed._notificationId,
    notificationId: failed._notificationId,
    messageId: failed._id,
    workflowId: 'welcome',
    stepId: 'tell',
    environmentId,
    transactionId,
  }
  const asked: Record<string, number> = {}
  for (const one of operations.filter(({ method, name }) => method === 'GET' && name !== 'studio.events')) {
    const filled = one.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      if (name === 'identifier') return one.path.includes('endpoints') ? 'e1' : 'c1'
      return encodeURIComponent(parameters[name] ?? 'nothing')
    })
    const query = one.name === 'studio.runEvents' ? '?until=end' : ''
    const response = await fetch(service.url + filled + query, { headers: { authorization: `ApiKey ${secretKey}` } })
    // The recipient gets the output of the step itself.
    const isMessage = /^inbox\.|feed/i.test(one.name)
    const text = (await response.text()).replaceAll(isMessage ? 'token canary-variable' : 'nothing', '')
    asked[one.name] = response.status
    expect([one.name, /canary-[a-z]+/.exec(text)?.[0]]).toEqual([one.name, undefined])
    expect([one.name, text.includes(secretKey)]).toEqual([one.name, false])
  }
  // If these operations failed, the test would see only errors.
  for (const name of [
    'environmentVariables.get',
    'integrations.list',
    'channelConnections.get',
    'channelEndpoints.get',
    'studio.bridgeCalls',
    'studio.runEvents',
  ])
    expect([path(name), asked[name]]).toEqual([path(name), 200])
  expect(Object.values(asked).filter((status) => status === 200).length).toBeGreaterThan(25)
  expect(bridge.calls.find(({ stepId }) => stepId === 'tell')?.body['env']).toMatchObject({
    TOKEN: 'canary-variable',
    type: 'dev',
  })
  expect(/canary-[a-z]+/.exec(log.join(''))?.[0]).toBeUndefined()
  expect(log.join('')).not.toContain(secretKey)
})
