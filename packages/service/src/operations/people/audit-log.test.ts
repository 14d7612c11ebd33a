import { describe, expect, test } from 'vitest'
import { password, startPeopleService } from '../../access/people.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { shared, toRequest } from '../any-request.fixture.ts'
import { operations } from '../operations.ts'
import { productionKey, secretKey } from '../service.fixture.ts'

const path = '/v1/studio/audit'
const dayMs = 24 * 60 * 60_000

describe.each(drivers)('the audit log (%s)', (driver) => {
  test('records who changed what, where, when and with which outcome', async (context) => {
    const started = await startPeopleService(driver, context)
    const { createAdmin, call, callWith, environmentId } = started
    const ada = await createAdmin()
    await ada.send('POST', '/v2/subscribers', { subscriberId: 'x' }, { 'x-forwarded-for': '203.0.113.9' })
    await ada.send('POST', '/v2/topics', { key: 1 })
    await ada.send('DELETE', '/v2/topics/none')
    await ada.send('GET', '/v2/topics')
    await call('POST', '/v2/topics', { key: 'news' })
    await callWith(productionKey)('POST', '/v2/topics', { key: 'other' })
    await call('POST', '/v1/events/trigger', { name: 'none', to: 'x' })
    expect((await call('DELETE', '/v1/events/trigger/some-transaction')).body).toEqual({ data: false })
    const { body } = await ada.send('GET', `${path}?limit=100`)
    const lines = body.data.map((entry: Record<string, never>) => {
      const { actor, environment, operation, subject, outcome } = entry as never as Record<string, { name: string }>
      return [actor?.name, environment?.name, operation, subject, outcome]
    })
    expect(lines).toEqual([
      [null, 'Development', 'events.cancel', 'some-transaction', 'done'],
      [null, 'Development', 'topics.create', 'news', 'done'],
      ['admin@example.com', 'Development', 'topics.delete', 'none', 'refused'],
      ['admin@example.com', 'Development', 'subscribers.create', 'x', 'done'],
      ['admin@example.com', undefined, 'accounts.createFirstAdmin', 'admin@example.com', 'done'],
    ])
    expect(body.data[3]).toMatchObject({
      actor: { type: 'account', address: '203.0.113.9' },
      environment: { id: environmentId },
      summary: expect.stringContaining('subscriber'),
    })
    expect(body.data[0].actor).toMatchObject({ type: 'key', id: expect.stringMatching(/^[0-9a-f]{12}$/) })
  })

  test('can be filtered and read in pages', async (context) => {
    const { createAdmin, call } = await startPeopleService(driver, context)
    const ada = await createAdmin()
    for (const key of ['a', 'b', 'c']) await ada.send('POST', '/v2/topics', { key })
    await call('DELETE', '/v2/topics/b')
    const find = async (query: string) => {
      const { body } = await ada.send('GET', `${path}?${query}`)
      return body.data.map(({ subject }: { subject: string }) => subject)
    }
    expect(await find('actor=ADMIN@example.com&scope=environment')).toEqual(['c', 'b', 'a'])
    expect(await find('operation=topics.delete')).toEqual(['b'])
    expect(await find('subject=b')).toEqual(['b', 'b'])
    expect(await find('outcome=refused')).toEqual([])
    expect(await find(`createdAfter=${new Date(Date.now() + dayMs).toISOString()}`)).toEqual([])
    expect(await find('scope=accounts')).toEqual(['admin@example.com'])
    const first = (await ada.send('GET', `${path}?limit=2&scope=environment`)).body
    expect([first.data.length, first.totalCount]).toEqual([2, 4])
    expect(await find(`limit=2&scope=environment&after=${encodeURIComponent(first.next)}`)).toEqual(['b', 'a'])
  })

  test('is shown to admins of its environment, and account entries only to admins of all environments', async (context) => {
    const started = await startPeopleService(driver, context)
    const { createAdmin, invite, environmentId, call, callWith } = started
    const owner = await createAdmin()
    const editor = await invite(owner, 'editor@example.com', { role: 'editor' })
    const admin = await invite(owner, 'one@example.com', { roles: [{ environmentId, role: 'admin' }] })
    await call('POST', '/v2/topics', { key: 'here' })
    await callWith(productionKey)('POST', '/v2/topics', { key: 'there' })
    expect((await editor.send('GET', path)).status).toBe(403)
    const subjects = async (reply: Promise<{ body: { data: { subject: string }[] } }>) =>
      (await reply).body.data.map(({ subject }) => subject)
    expect(await subjects(admin.send('GET', path))).toEqual(['here'])
    expect(await subjects(admin.send('GET', `${path}?scope=accounts`))).toEqual([])
    expect(await subjects(call('GET', path))).toEqual(['here'])
    expect(await subjects(owner.send('GET', `${path}?scope=accounts&limit=1`))).toEqual(['one@example.com'])
  })

  test('never contains a value such as a password, credential, variable, key or link', async (context) => {
    const started = await startPeopleService(driver, context)
    const { createAdmin, service, environmentId, call } = started
    const ada = await createAdmin()
    const canary = 'canary-0123456789'
    const values = [{ _environmentId: environmentId, value: canary }]
    await ada.send('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    await ada.send('POST', '/v1/integrations', {
      ...{ providerId: 'slack', channel: 'chat', identifier: 'slack', active: true },
      credentials: { clientId: canary, secretKey: canary, webhookUrl: `https://example.com/${canary}` },
    })
    const names = { ...shared, name: 'order', value: canary, token: canary, current: canary, password: canary }
    for (const one of operations.filter(({ open, forSubscriber }) => !open && !forSubscriber)) {
      if (/session|environments.delete/.test(one.name) || one.method === 'GET') continue
      const request = toRequest(one, names)
      await ada.send(one.method, request.path, request.body)
      if (one.name !== 'apiKeys.regenerate') await call(one.method, request.path, request.body)
    }
    const link = await ada.send('POST', '/v1/studio/people', { email: 'eve@example.com', role: 'viewer' })
    const entries = await service.store.db.selectFrom('auditEntries').selectAll().execute()
    expect(entries.length).toBeGreaterThan(100)
    const stored = JSON.stringify(entries)
    const token = link.body.data.url.split('=')[1]
    for (const secret of [canary, password, secretKey, token, ...ada.cookies.values()])
      expect(stored.includes(secret)).toBe(false)
  })

  test('is kept for a set time', async (context) => {
    const accounts = { enabled: true, auditRetentionMs: dayMs }
    const { createAdmin, service } = await startPeopleService(driver, context, { accounts })
    const ada = await createAdmin()
    await ada.send('POST', '/v2/topics', { key: 'news' })
    const { db } = service.store
    await db
      .updateTable('auditEntries')
      .set({ createdAt: Date.now() - 2 * dayMs })
      .where('operation', '=', 'topics.create')
      .execute()
    await service.removeOldRuns()
    const rows = await db.selectFrom('auditEntries').select('operation').execute()
    expect(rows).toEqual([{ operation: 'accounts.createFirstAdmin' }])
  })
})

test('a change is rolled back if its entry cannot be written, and an attempt without a response remains visible', async (context) => {
  const { createAdmin, service } = await startPeopleService('sqlite', context)
  const ada = await createAdmin()
  const { db } = service.store
  await db.schema.alterTable('auditEntries').renameTo('elsewhere').execute()
  expect((await ada.send('POST', '/v2/topics', { key: 'news' })).status).toBeGreaterThanOrEqual(500)
  expect(await db.selectFrom('topics').selectAll().execute()).toEqual([])
  await db.schema.alterTable('elsewhere').renameTo('auditEntries').execute()
  await db.schema.alterTable('topics').renameTo('elsewhere').execute()
  expect((await ada.send('POST', '/v2/topics', { key: 'news' })).status).toBeGreaterThanOrEqual(500)
  expect((await ada.send('GET', `${path}?operation=topics.create`)).body.data).toMatchObject([{ outcome: 'failed' }])
})

test('nothing is recorded without accounts', async (context) => {
  const { call, service } = await startPeopleService('sqlite', context, { accounts: { enabled: false } })
  expect(service.firstAdminLink).toBeUndefined()
  await call('POST', '/v2/topics', { key: 'news' })
  expect(await service.store.db.selectFrom('auditEntries').selectAll().execute()).toEqual([])
})
