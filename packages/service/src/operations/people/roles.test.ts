import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Browser, startPeopleService } from '../../access/people.fixture.ts'
import type { Access } from '../../accounts/base/access.ts'
import type { AnyOperation } from '../../context/operation.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { shared, toRequest } from '../any-request.fixture.ts'
import { operations } from '../operations.ts'
import { secretKey } from '../service.fixture.ts'

const forPeople = operations.filter(({ open, forSubscriber }) => !open && !forSubscriber)

/** Written independently of the code: who may call the operations of each kind in Development, by the names below. */
const may: Readonly<Record<Access, readonly string[]>> = {
  self: ['none', 'viewer', 'editor', 'admin', 'other', 'lowered', 'owner'],
  view: ['viewer', 'editor', 'admin', 'lowered', 'owner'],
  edit: ['editor', 'admin', 'owner'],
  administer: ['admin', 'owner'],
  people: ['owner'],
}

test('viewers cannot use operations that change something', () => {
  const open = forPeople.filter(({ access, method }) => access === 'view' && method !== 'GET').map(({ name }) => name)
  // These operations only compute, and store nothing.
  expect(open.sort()).toEqual([
    'bridge.previewStep',
    'domains.diagnose',
    'layouts.preview',
    'studio.checkControls',
    'studio.previewStep',
    'workflows.previewStep',
  ])
})

test('operations that reveal a secret require a secret key', () => {
  expect(forPeople.flatMap(({ name, hideSecret }) => (hideSecret ? [name] : [])).sort()).toEqual([
    'apiKeys.regenerate',
    'environments.create',
    'webhookEndpoints.create',
    'webhookEndpoints.rotateSecret',
  ])
})

test('operations that hold or redirect secrets are limited to admins', () => {
  const names = (pattern: RegExp) => forPeople.filter(({ name, method }) => pattern.test(name) && method !== 'GET')
  const guarded = [
    ...names(/^(apiKeys|environments|environmentVariables|integrations|channelConnections|channelEndpoints)\./),
    ...names(/^webhookEndpoints\.(create|update|delete|rotateSecret)$/),
    // A route receives the mail of a domain.
    ...names(/^domains\.(createRoute|updateRoute|deleteRoute)$/),
    // A bridge receives the values of secret variables.
    ...names(/^(bridge\.(sync|validate|diff)|studio\.bridgeSync|agents\.setBridge)$/),
  ]
  expect(guarded.length).toBeGreaterThan(20)
  for (const { name, access } of guarded) expect([name, access]).toEqual([name, 'administer'])
})

/** Returns the status and the start of the response, because streams do not end. */
function head(url: string, { method }: AnyOperation, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, connection: 'close' } }, (response) => {
      const { statusCode: status = 0 } = response
      const end = (text: string): void => {
        response.destroy()
        resolve({ status, text })
      }
      if (response.headers['content-type']?.includes('event-stream')) return end('')
      response.once('data', (chunk: Buffer) => end(chunk.toString()))
      response.once('end', () => end(''))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe.each(drivers)('roles (%s)', (driver) => {
  test('control access to every operation', async (context) => {
    const started = await startPeopleService(driver, context)
    const { createAdmin, invite, environmentId, productionId, service } = started
    const owner = await createAdmin()
    const people: Record<string, Browser> = {
      owner,
      none: await invite(owner, 'none@example.com', {}),
      viewer: await invite(owner, 'viewer@example.com', { role: 'viewer' }),
      editor: await invite(owner, 'editor@example.com', { role: 'editor' }),
      admin: await invite(owner, 'a@example.com', { roles: [{ environmentId, role: 'admin' }] }),
      other: await invite(owner, 'other@example.com', { roles: [{ environmentId: productionId, role: 'admin' }] }),
      lowered: await invite(owner, 'low@example.com', { role: 'admin', roles: [{ environmentId, role: 'viewer' }] }),
    }
    const wrong: string[] = []
    for (const [who, browser] of Object.entries(people))
      for (const one of forPeople) {
        // Without a body, allowed operations change nothing; session operations are skipped, because ending sessions
        // would end the test.
        if (/session|personDelete/.test(one.name) && who !== 'none') continue
        const headers = {
          cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
          ...{ origin: service.url, 'studio-environment': environmentId },
        }
        const { path } = toRequest(one, shared)
        const { status, text } = await head(service.url + path, one, headers)
        const isRefused = status === 403 && text.includes(`${one.name}`)
        const isAllowed = may[one.access].includes(who) && !one.hideSecret
        if (status === 401 || isRefused === isAllowed) wrong.push(`${who} ${one.name}: ${status} ${text.slice(0, 300)}`)
      }
    expect(wrong).toEqual([])
  })

  test('are those of the environment that a call names', async (context) => {
    const started = await startPeopleService(driver, context)
    const { createAdmin, invite, environmentId, productionId } = started
    const eve = await invite(await createAdmin(), 'eve@example.com', { roles: [{ environmentId, role: 'editor' }] })
    const add = (subscriberId: string) => eve.send('POST', '/v2/subscribers', { subscriberId })
    expect((await add('one')).status).toBe(201)
    for (const id of [productionId, 'none', '']) {
      eve.environmentId = id
      expect((await add('two')).status, id).toBeGreaterThanOrEqual(401)
    }
    const rows = await started.service.store.db.selectFrom('subscribers').select('subscriberId').execute()
    expect(rows).toEqual([{ subscriberId: 'one' }])
  })

  test('hide environments in which a person has no role', async (context) => {
    const { createAdmin, invite, environmentId, productionId, call } = await startPeopleService(driver, context)
    const owner = await createAdmin()
    const eve = await invite(owner, 'eve@example.com', {
      role: 'admin',
      roles: [{ environmentId: productionId, role: 'none' }],
    })
    const list = async (reply: Promise<{ body: { data: { _id: string }[] } }>) =>
      (await reply).body.data.map(({ _id }) => _id)
    const both = [environmentId, productionId].sort()
    expect(await list(owner.send('GET', '/v1/environments'))).toEqual(both)
    expect(await list(call('GET', '/v1/environments'))).toEqual(both)
    expect(await list(eve.send('GET', '/v1/environments'))).toEqual([environmentId])
    const { body } = await eve.send('GET', '/studio/session')
    expect(body.environments.map(({ id }: { id: string }) => id)).toEqual([environmentId])
  })

  test('take effect with the next request after a change', async (context) => {
    const { createAdmin, invite, idOf } = await startPeopleService(driver, context)
    const owner = await createAdmin()
    const eve = await invite(owner, 'eve@example.com', { role: 'editor' })
    const add = async () => (await eve.send('POST', '/v2/subscribers', { subscriberId: 'x' })).status
    expect(await add()).toBeLessThan(300)
    const id = await idOf(owner, 'eve@example.com')
    await owner.send('PATCH', `/v1/studio/people/${id}`, { role: 'viewer' })
    expect(await add()).toBe(403)
    expect((await eve.send('GET', '/v2/subscribers')).status).toBe(200)
    await owner.send('PATCH', `/v1/studio/people/${id}`, { role: 'none' })
    expect((await eve.send('GET', '/v2/subscribers')).status).toBe(403)
  })
})

test('a secret key does not act as a person, and a person cannot access metrics or mounts', async (context) => {
  const { createAdmin, call } = await startPeopleService('sqlite', context, {
    mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: 'mounted' }) },
  })
  const owner = await createAdmin()
  for (const one of forPeople.filter(({ access }) => access === 'self' || access === 'people')) {
    const { path, body } = toRequest(one, shared)
    expect([one.name, (await call(one.method, path, body)).status]).toEqual([one.name, 403])
  }
  for (const path of ['/metrics', '/mcp']) {
    expect((await owner.send('GET', path)).status).toBe(403)
    expect((await owner.send('GET', path, undefined, { authorization: `ApiKey ${secretKey}` })).status).toBe(200)
  }
})
