import { expect, test } from 'vitest'
import { inboxSettingsField } from '../../inbox/inbox-settings.ts'
import { productionKey, startTestService, type TestService } from '../service.fixture.ts'
import { findApplication, openSession, request } from './inbox.fixture.ts'

const page = 'https://app.example.com'
const local = 'http://localhost:5173'
const path = '/v1/inbox/notifications'

const preflight = (service: TestService, origin: string, to = path) =>
  request(service, to, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,novu-client-version',
    },
  })

test('allows local pages in Development, and other pages only if they are listed', async (context) => {
  const service = await startTestService('sqlite', context)
  const token = await openSession(service, 'ada')
  const get = (origin: string) => request(service, path, { headers: { origin, authorization: `Bearer ${token}` } })
  const allowed = await get(local)
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, local])
  expect(allowed.headers.get('vary')).toBe('origin')
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
  for (const origin of [page, 'null', 'http://localhost.example.com', 'http://localhost:5173/', 'file://']) {
    const refused = await get(origin)
    expect([origin, refused.status]).toEqual([origin, 403])
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect((await preflight(service, origin)).status).toBe(403)
  }
  await service.call('PUT', `/v1/environments/${service.environmentId}`, { inbox: { origins: [page] } })
  expect((await get(page)).status).toBe(200)
  expect((await get(local)).status).toBe(403)
})

test('lists the headers and methods in a preflight response, for inbox paths only', async (context) => {
  const service = await startTestService('sqlite', context)
  const { status, headers } = await preflight(service, local)
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe(local)
  expect(headers.get('access-control-allow-headers')).toBe('authorization,novu-client-version')
  expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PATCH, DELETE')
  for (const other of ['/v1/inbox', '/v2/subscribers', '/v1/environments/me', '/v1/inbox%2fx', '/v1/Inbox/session']) {
    const refused = await preflight(service, page, other)
    expect([other, refused.status]).toEqual([other, 403])
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('lets a page read why it was rejected, so that it can open a new session', async (context) => {
  const service = await startTestService('sqlite', context)
  const refused = await request(service, path, { headers: { origin: local, authorization: 'Bearer x' } })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, local])
})

test('does not apply an allowed origin of one environment to another', async (context) => {
  const service = await startTestService('sqlite', context)
  const token = await openSession(service, 'ada', productionKey)
  const get = () => request(service, path, { headers: { origin: local, authorization: `Bearer ${token}` } })
  expect((await get()).status).toBe(403)
  const body = { applicationIdentifier: await findApplication(service, productionKey), subscriber: 'eve' }
  const { status } = await request(service, '/v1/inbox/session', { method: 'POST', body, headers: { origin: local } })
  expect(status).toBe(401)
})

test.each([['*'], ['https://app.example.com/'], ['app.example.com'], ['null'], ['https://*.example.com'], ['']])(
  'rejects %j as an origin',
  (origin) => {
    expect(inboxSettingsField.safeParse({ origins: [origin] }).success).toBe(false)
    expect(inboxSettingsField.safeParse({ origins: [page, 'capacitor://localhost', local] }).success).toBe(true)
  },
)
