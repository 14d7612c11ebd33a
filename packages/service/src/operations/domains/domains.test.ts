import { expect, it, type TestContext } from 'vitest'
import { type RecordServer, serveRecords } from '../../../../bridge-client/fixtures/record-server.ts'
import { createId } from '../../store/create-id.ts'
import type { StoreDriver } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey, startTestService, type TestService } from '../service.fixture.ts'

const mailHost = 'mx.service.test'

async function start(driver: StoreDriver, context: TestContext): Promise<TestService & { dns: RecordServer }> {
  const dns = await serveRecords()
  const inboundMail = { hostName: mailHost, nameServers: [dns.address] }
  return Object.assign(await startTestService(driver, context, { inboundMail }), { dns })
}

const textOf = (domain: { expectedDnsRecords: readonly { type: string; content: string }[] }): string =>
  domain.expectedDnsRecords.find(({ type }) => type === 'TXT')?.content ?? ''

it.for(drivers)('verifies a domain by its DNS records (%s)', async (driver, context) => {
  const { call, dns, environmentId } = await start(driver, context)
  const created = await call('POST', '/v1/domains', { name: 'Mail.Example.test.', data: { team: 'support' } })
  expect(created.status).toBe(201)
  expect(created.body.data).toMatchObject({
    ...{ name: 'mail.example.test', status: 'pending', mxRecordConfigured: false, _environmentId: environmentId },
    data: { team: 'support' },
    expectedDnsRecords: [
      { type: 'TXT', name: '_trestle-challenge.mail.example.test', content: expect.stringMatching(/=[0-9a-f]{32}$/) },
      { type: 'MX', name: 'mail.example.test', content: mailHost, priority: 10 },
    ],
  })
  const verify = () => call('POST', '/v1/domains/mail.example.test/verify')
  expect((await verify()).body.data).toMatchObject({ status: 'pending', mxRecordConfigured: false })

  const proof = textOf(created.body.data)
  dns.zone.set('_trestle-challenge.mail.example.test', { TXT: ['other', proof] })
  expect((await verify()).body.data).toMatchObject({ status: 'verified', mxRecordConfigured: false })
  dns.zone.set('mail.example.test', { MX: ['5 elsewhere.test', `10 ${mailHost}`] })
  expect((await verify()).body.data).toMatchObject({ status: 'verified', mxRecordConfigured: false })
  dns.zone.set('mail.example.test', { MX: ['20 elsewhere.test', '10 MX.Service.test'] })
  expect((await verify()).body.data).toMatchObject({ status: 'verified', mxRecordConfigured: true })

  dns.zone.set('_trestle-challenge.mail.example.test', 'SERVFAIL')
  const silent = await verify()
  expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '10'])
  expect(silent.body.message).toContain('ESERVFAIL')
  expect((await call('GET', '/v1/domains/mail.example.test')).body.data.status).toBe('verified')

  dns.zone.delete('_trestle-challenge.mail.example.test')
  expect((await verify()).body.data.status).toBe('pending')
})

it.for(drivers)('verifies a domain in one environment only (%s)', async (driver, context) => {
  const { call, callWith, dns } = await start(driver, context)
  const production = callWith(productionKey)
  const first = await call('POST', '/v1/domains', { name: 'example.test' })
  const other = await production('POST', '/v1/domains', { name: 'example.test' })
  expect(textOf(other.body.data)).not.toBe(textOf(first.body.data))
  dns.zone.set('_trestle-challenge.example.test', { TXT: [textOf(first.body.data), textOf(other.body.data)] })
  expect((await call('POST', '/v1/domains/example.test/verify')).body.data.status).toBe('verified')
  const refused = await production('POST', '/v1/domains/example.test/verify')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('another environment')])
  expect((await call('DELETE', '/v1/domains/example.test')).status).toBe(204)
  expect((await production('POST', '/v1/domains/example.test/verify')).body.data.status).toBe('verified')
  expect((await call('GET', '/v1/domains/example.test')).status).toBe(404)
})

it('lists, changes and deletes domains and their routes', async (context) => {
  const { call, callWith, service, environmentId } = await start('sqlite', context)
  for (const name of ['a.test', 'b.test', 'münchen.test']) await call('POST', '/v1/domains', { name })
  const names = async (query = '') =>
    (await call('GET', `/v1/domains?orderBy=name&orderDirection=ASC${query}`)).body.data.map(
      (domain: { name: string }) => domain.name,
    )
  expect(await names()).toEqual(['a.test', 'b.test', 'xn--mnchen-3ya.test'])
  expect(await names(`&name=${encodeURIComponent('München.test')}`)).toEqual(['xn--mnchen-3ya.test'])
  expect((await callWith(productionKey)('GET', '/v1/domains')).body.data).toEqual([])
  expect((await call('POST', '/v1/domains', { name: 'A.test' })).status).toBe(409)
  const updated = await call('PATCH', '/v1/domains/a.test', { data: { owner: 'me' } })
  expect(updated.body.data.data).toEqual({ owner: 'me' })

  await service.store.db
    .insertInto('agents')
    .values({ id: createId(1), environmentId, identifier: 'helper', position: 0, createdAt: 1, updatedAt: 1 })
    .execute()
  const path = '/v1/domains/a.test/routes'
  const webhook = await call('POST', path, { address: 'Support', type: 'webhook', webhookUrl: 'https://app.test/mail' })
  expect([webhook.status, webhook.body.data]).toMatchObject([
    ...[201, { address: 'support', type: 'webhook', webhookUrl: 'https://app.test/mail' }],
  ])
  const data = { webhookUrl: 'https://app.test/all' }
  const all = await call('POST', path, { address: '*', type: 'webhook', data })
  expect(all.body.data).toMatchObject({ address: '*', webhookUrl: 'https://app.test/all', data })
  const agent = await call('POST', path, { address: 'help', type: 'agent', agentId: 'helper' })
  expect(agent.body.data).toMatchObject({ type: 'agent', agentId: 'helper' })
  expect((await call('GET', `${path}?agentId=helper`)).body.data).toHaveLength(1)
  expect((await call('GET', `${path}/*`)).body.data.address).toBe('*')
  const moved = await call('PATCH', `${path}/support`, { type: 'agent', agentId: 'helper' })
  expect(moved.body.data).toMatchObject({ type: 'agent', agentId: 'helper' })
  expect(moved.body.data.webhookUrl).toBeUndefined()
  expect((await call('DELETE', `${path}/support`)).status).toBe(204)
  expect((await call('GET', `${path}/support`)).status).toBe(404)
  await call('DELETE', '/v1/domains/a.test')
  expect(await service.store.db.selectFrom('domainRoutes').selectAll().execute()).toEqual([])
})

it('rejects invalid domains and routes with a reason', async (context) => {
  const { call } = await start('sqlite', context)
  await call('POST', '/v1/domains', { name: 'a.test' })
  const refusals: readonly (readonly [string, object, string])[] = [
    ['/v1/domains', { name: 'localhost' }, 'name: must be a full domain'],
    ['/v1/domains', { name: '10.0.0.1' }, 'name: must be a full domain'],
    ['/v1/domains', { name: 'a b.test' }, 'name: must be a full domain'],
    ['/v1/domains', { name: 'x.test', data: { long: 'x'.repeat(500) } }, 'data: must have at most 500 characters'],
    ['/v1/domains', { name: 'x.test', data: { count: 7 } }, 'data'],
    ['/v1/domains/a.test/routes', { address: 'a b', type: 'webhook' }, 'address: must be the part of an email address'],
    ['/v1/domains/a.test/routes', { address: 'a', type: 'webhook' }, 'webhookUrl: is missing'],
    [
      '/v1/domains/a.test/routes',
      { address: 'a', type: 'webhook', data: { webhookUrl: 'x' } },
      'data.webhookUrl: must',
    ],
    ['/v1/domains/a.test/routes', { address: 'a', type: 'agent' }, 'agentId: is missing'],
    ['/v1/domains/a.test/routes', { address: 'a', type: 'agent', agentId: 'x' }, 'agentId: is not an agent'],
  ]
  for (const [path, body, message] of refusals) {
    const refused = await call('POST', path, body)
    expect([refused.status, refused.body.message], JSON.stringify(body)).toEqual([422, expect.anything()])
    const [field = '', { messages = [''] } = {}] = Object.entries<{ messages: string[] }>(refused.body.errors)[0] ?? []
    expect(`${field}: ${messages[0]}`).toContain(message)
  }
})

it('diagnoses why mail does not arrive', async (context) => {
  const { call, dns } = await start('sqlite', context)
  await call('POST', '/v1/domains', { name: 'a.test' })
  const diagnose = async () => (await call('POST', '/v1/domains/a.test/diagnose')).body.data
  const issuesOf = async () => (await diagnose()).issues.map(({ code }: { code: string }) => code)
  expect(await issuesOf()).toEqual(['mx_missing'])
  dns.zone.set('a.test', { MX: ['10 elsewhere.test'], CNAME: ['other.test'] })
  expect(await issuesOf()).toEqual(['mx_wrong_target', 'apex_cname_collision'])
  dns.zone.set('a.test', { MX: ['10 elsewhere.test', `20 ${mailHost}`] })
  expect(await diagnose()).toMatchObject({ ok: true, issues: [{ code: 'mx_low_priority', severity: 'warn' }] })
  dns.zone.set('a.test', { MX: [`10 ${mailHost}`] })
  const { ok, issues, checks } = await diagnose()
  expect([ok, issues]).toEqual([true, []])
  expect(checks.map(({ status }: { status: string }) => status)).toEqual(['pass', 'pass', 'pass', 'pass', 'skipped'])
  const auto = await call('GET', '/v1/domains/a.test/auto-configure')
  expect(auto.body.data).toMatchObject({ available: false, reasonCode: 'disabled', manualRecords: [{}, {}] })
  expect((await call('POST', '/v1/domains/a.test/auto-configure/start', {})).status).toBe(409)
})

it('explains how to enable inbound mail while it is disabled', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const { body } = await call('POST', '/v1/domains', { name: 'a.test' })
  expect(body.data.expectedDnsRecords).toHaveLength(1)
  const refused = await call('POST', '/v1/domains/a.test/verify')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('SERVICE_INBOUND_MAIL_HOST')])
})
