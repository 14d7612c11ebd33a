import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock/manual-clock.ts'
import { environmentTables } from '../operations/environments/remove-environment.ts'
import { createId } from '../store/create-id.ts'
import { drivers } from '../store/stores.fixture.ts'
import { startTestService, testKeys } from './service.fixture.ts'
import { startService } from './start-service.ts'

const errorBody = { statusCode: expect.any(Number), timestamp: expect.any(String), path: expect.any(String) }

describe.each(drivers)('keys and environments (%s)', (driver) => {
  test('accept a key only for its own environment, and only with the scheme ApiKey', async (context) => {
    const { call } = await startTestService(driver, context)
    const withHeader = (authorization: string) =>
      call('GET /v1/environments/me', undefined, { key: null, headers: { authorization } })
    expect((await withHeader(`ApiKey ${testKeys.Development}`)).json).toMatchObject({ data: { name: 'Development' } })
    expect((await withHeader(`ApiKey ${testKeys.Production}`)).json).toMatchObject({ data: { name: 'Production' } })
    const refused = [
      ...[`Bearer ${testKeys.Development}`, `apikey ${testKeys.Development}`, `ApiKey  ${testKeys.Development}`],
      ...[
        'ApiKey',
        'ApiKey ',
        'ApiKey wrong',
        testKeys.Development,
        `ApiKey ${testKeys.Development} x`,
        `ApiKey ${testKeys.Development}x`,
      ],
    ]
    for (const header of refused)
      expect(await withHeader(header), header).toMatchObject({ status: 401, json: errorBody })
    expect(await call('GET /v1/environments/me', undefined, { key: null })).toMatchObject({ status: 401 })
  })

  test('do not accept the application identifier as a key', async (context) => {
    const { call } = await startTestService(driver, context)
    const { json } = await call('GET /v1/environments/me')
    const { identifier } = (json as { data: { identifier: string } }).data
    expect(await call('GET /v1/environments/me', undefined, { key: identifier })).toMatchObject({ status: 401 })
  })

  test('hide resources of other environments', async (context) => {
    const { call } = await startTestService(driver, context)
    await call('POST /v2/subscribers', { subscriberId: 'ada' })
    await call('POST /v2/topics', { key: 'team' })
    const key = testKeys.Production
    for (const line of [
      'GET /v2/subscribers/ada',
      'GET /v1/subscribers/ada',
      'DELETE /v2/subscribers/ada',
      'GET /v2/topics/team',
      'DELETE /v2/topics/team',
    ])
      expect(await call(line, undefined, { key }), line).toMatchObject({ status: 404, json: errorBody })
    expect((await call('GET /v2/subscribers', undefined, { key })).json).toMatchObject({ data: [], totalCount: 0 })
    expect(await call('GET /v2/subscribers/ada')).toMatchObject({ status: 200 })
  })

  test('revoke an old key immediately, and store no key in plain text', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const { json, status } = await call('POST /v1/environments/api-keys/regenerate')
    const [{ key }] = (json as { data: [{ key: string }] }).data
    expect(status).toBe(201)
    expect(await call('GET /v1/environments/me')).toMatchObject({ status: 401 })
    expect(await call('GET /v1/environments/me', undefined, { key })).toMatchObject({ status: 200 })
    const rows = await service.store.db.selectFrom('apiKeys').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const text of [key, testKeys.Production]) expect(JSON.stringify(rows)).not.toContain(text)
    expect(JSON.stringify((await call('GET /v1/environments/api-keys', undefined, { key })).json)).not.toContain(key)
  })

  test('create an environment with its own key, and delete it with all its data', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const { json } = await call('POST /v1/environments', { name: 'Staging' })
    const { _id, apiKeys } = (json as { data: { _id: string; apiKeys: [{ key: string }] } }).data
    const { key } = apiKeys[0]
    await call('POST /v2/subscribers', { subscriberId: 'ada' }, { key })
    await call('POST /v2/topics/team/subscriptions', { subscriptions: ['ada'] }, { key })
    expect(await call('POST /v1/environments', { name: 'Staging' })).toMatchObject({ status: 409 })
    expect(await call(`PUT /v1/environments/${_id}`, { name: 'Mine' })).toMatchObject({ status: 403 })
    expect(await call(`DELETE /v1/environments/${_id}`)).toMatchObject({ status: 403 })
    expect(await call('GET /v2/subscribers/ada', undefined, { key })).toMatchObject({ status: 200 })
    expect(await call(`DELETE /v1/environments/${_id}`, undefined, { key })).toMatchObject({ status: 200 })
    expect(await call('GET /v1/environments/me', undefined, { key })).toMatchObject({ status: 401 })
    expect((await call('GET /v1/environments')).text).not.toContain('Staging')
    expect(await call('POST /v1/environments', { name: 'Staging' })).toMatchObject({ status: 201 })
    const findLeft = async () => {
      const tables: string[] = []
      for (const table of environmentTables) {
        const rows = service.store.db.selectFrom(table as 'subscribers').where('environmentId', '=', _id)
        if ((await rows.select('environmentId').execute()).length > 0) tables.push(table)
      }
      return tables
    }
    await expect.poll(findLeft, { timeout: 10_000 }).toEqual([])
  })

  test('get a key at the first start unless one is configured', async (context) => {
    const { service, call } = await startTestService(driver, context)
    expect(service.freshKeys).toEqual([])
    expect((await call('GET /v1/environments')).json).toMatchObject({
      data: [{ name: 'Development' }, { name: 'Production' }],
    })
    const { service: other } = await startTestService(driver, context, {
      secretKeys: { Development: testKeys.Development },
    })
    expect(other.freshKeys.map(({ environment }) => environment)).toEqual(['Production'])
  })
})

describe.each(drivers)('triggers with an idempotency key (%s)', (driver) => {
  test('are accepted once for 50 concurrent requests, and all get the same response', async (context) => {
    const { service, call } = await startTestService(driver, context)
    const steps = [{ name: 'Inbox', type: 'in_app' }]
    await call('POST /v2/workflows', { name: 'News', workflowId: 'news', active: true, steps })
    const rounds = 5
    for (let round = 0; round < rounds; round++) {
      const headers = { 'idempotency-key': `round ${round}` }
      const trigger = () =>
        call('POST /v1/events/trigger', { name: 'news', to: 'ada', payload: { round } }, { headers })
      const answers = await Promise.all(Array.from({ length: 50 }, trigger))
      const accepted = answers.filter(({ status }) => status === 201)
      expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
      expect(new Set(accepted.map(({ text }) => text)).size).toBe(1)
      expect(accepted.filter((answer) => answer.headers.get('idempotency-replay') === null)).toHaveLength(1)
      const later = await trigger()
      expect(later).toMatchObject({ status: 201, text: accepted[0]?.text })
      expect(later.headers.get('idempotency-replay')).toBe('true')
      expect((await trigger()).headers.get('idempotency-key')).toBe(`round ${round}`)
    }
    const rows = await service.store.db.selectFrom('triggers').select('id').execute()
    expect(rows).toHaveLength(rounds)
  })
})

describe.each(drivers)('stored responses of idempotency keys (%s)', (driver) => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('show a secret key once, and are encrypted in the database', async (context) => {
    const { service, call } = await startTestService(driver, context)
    const environment = { name: 'Staging' }
    const response = await call('POST /v1/environments', environment, keyed('make'))
    const { apiKeys, ...rest } = (response.json as { data: { apiKeys: { key: string }[]; _organizationId: string } })
      .data
    const { _organizationId: _userId } = rest
    expect(apiKeys).toEqual([{ key: expect.stringMatching(/^sk_[0-9a-f]{48}$/), _userId }])
    const madeAgain = await call('POST /v1/environments', environment, keyed('make'))
    expect(madeAgain).toMatchObject({
      status: 201,
      json: { data: { ...rest, apiKeys: [{ key: '********', _userId }] } },
    })
    expect(madeAgain.headers.get('idempotency-replay')).toBe('true')

    const rotated = await call('POST /v1/environments/api-keys/regenerate', undefined, keyed('rotate'))
    const [{ key } = { key: '' }] = (rotated.json as { data: { key: string }[] }).data
    const rotatedAgain = await call('POST /v1/environments/api-keys/regenerate', undefined, { ...keyed('rotate'), key })
    expect(rotatedAgain).toMatchObject({ status: 201, json: { data: [{ key: '********', _userId }] } })
    const me = await call('GET /v1/environments/me', undefined, { key })
    expect(me.status).toBe(200)

    const { _id } = (me.json as { data: { _id: string } }).data
    const variable = { key: 'REGION', values: [{ _environmentId: _id, value: 'canary-value' }] }
    const stored = await call('POST /v1/environment-variables', variable, { ...keyed('variable'), key })
    expect(stored.text).toContain('canary-value')
    const storedAgain = await call('POST /v1/environment-variables', variable, { ...keyed('variable'), key })
    expect(storedAgain.text).toBe(stored.text)

    const rows = await service.store.db.selectFrom('idempotency').selectAll().execute()
    expect(rows.map((row) => row.key).sort()).toEqual(['make', 'rotate', 'variable'])
    const text = JSON.stringify(rows)
    for (const secret of [apiKeys[0]?.key, key, 'canary-value', 'Staging']) expect(text).not.toContain(secret)
  })
})

test('removes an environment’s rows from every table when it is deleted', async (context) => {
  const { service } = await startTestService('sqlite', context)
  const tables = await service.store.db.introspection.getTables()
  const owned = tables
    .filter(({ columns }) => columns.some(({ name }) => name === 'environmentId'))
    .map(({ name }) => name)
  expect([...environmentTables].sort()).toEqual(owned.sort())
})

describe('callers', () => {
  test('with other hosts or origins are rejected while the service listens on loopback', async (context) => {
    const { service } = await startTestService('sqlite', context, { allowedHosts: ['app.internal:8080'] })
    const { port } = new URL(service.url)
    const status = async (headers: Record<string, string>) => {
      const { request } = await import('node:http')
      return new Promise<number>((resolve, reject) => {
        const call = request({ host: '127.0.0.1', port, path: '/health', headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        call.on('error', reject)
        call.end()
      })
    }
    const host = `127.0.0.1:${port}`
    const good = [
      { host },
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { host: 'app.internal:8080' },
      { host, origin: `http://${host}` },
      { host, 'sec-fetch-site': 'none' },
    ]
    for (const headers of good) expect(await status(headers as never), JSON.stringify(headers)).toBe(200)
    const bad = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: '127.0.0.1:1' },
      { host: '127.0.0.1.nip.io' },
      { host, origin: 'https://evil.example' },
      { host, origin: 'null' },
      { host, origin: 'http://localhost:1' },
      { host, 'sec-fetch-site': 'cross-site' },
      { host: `127.0.0.1:${port}@evil.example` },
    ]
    for (const headers of bad) expect(await status(headers as never), JSON.stringify(headers)).toBe(403)
  })
})

test('get errors for bodies that are too large, of another type, or malformed', async (context) => {
  const { call, service } = await startTestService('sqlite', context, { maxBodyBytes: 2000 })
  const large = JSON.stringify({ subscriberId: 'a'.repeat(3000) })
  expect(await call('POST /v2/subscribers', large)).toMatchObject({ status: 413, json: errorBody })
  // Without a length, only the received bytes show the size.
  const pieces = new ReadableStream({
    start(controller) {
      for (let index = 0; index < 30; index++) controller.enqueue(new TextEncoder().encode('a'.repeat(100)))
      controller.close()
    },
  })
  const headers = { authorization: `ApiKey ${testKeys.Development}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: pieces, duplex: 'half' } as RequestInit
  expect((await fetch(`${service.url}/v2/subscribers`, init)).status).toBe(413)
  const small = '{"subscriberId":"ada"}'
  const typed = (type: string) => call('POST /v2/subscribers', small, { headers: { 'content-type': type } })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])
    expect(await typed(type), type).toMatchObject({ status: 415, json: errorBody })
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/merge-patch+json'])
    expect(await typed(type), type).toMatchObject({ status: 201 })
  const packed = gzipSync(small)
  for (const [encoding, sent, status] of [
    ['gzip', packed, 415],
    ['br', small, 415],
    ['identity', small, 201],
  ] as const) {
    const init = { method: 'POST', headers: { ...headers, 'content-encoding': encoding }, body: sent }
    const answer = await fetch(`${service.url}/v2/subscribers`, init)
    expect([encoding, answer.status]).toEqual([encoding, status])
    if (status === 415) expect(((await answer.json()) as { message: string }).message).toContain('Content-Encoding')
  }
  // Some clients send a content encoding with every request.
  const bodiless = { headers: { ...headers, 'content-encoding': 'gzip' } }
  expect((await fetch(`${service.url}/v2/subscribers`, bodiless)).status).toBe(200)
  for (const text of ['{', 'nonsense', '{"a":1}x', `${'['.repeat(200)}${']'.repeat(200)}`])
    expect(await call('POST /v2/subscribers', text), text.slice(0, 20)).toMatchObject({ status: 400, json: errorBody })
  const wrong = await call('PUT /v2/subscribers', { subscriberId: 'ada' })
  expect(wrong).toMatchObject({ status: 405, json: errorBody })
  expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST'])
  expect(await call('GET /v3/subscribers')).toMatchObject({ status: 404, json: errorBody })
  expect(await call('POST /v2/subscribers', { subscriberId: 'ada', name: 'Ada' })).toMatchObject({
    status: 422,
    json: { ...errorBody, errors: { name: { messages: ['is not a field of this operation'], value: 'Ada' } } },
  })
})

test('reports a limited number of validation errors', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  for (const [line, body, more] of [
    ['POST /v1/events/trigger', { name: 'w', to: 'a', ...fields(40_000) }, 'and 39950 more'],
    ['POST /v2/topics', { key: 'a', data: [], ...fields(100) }, 'and 51 more'],
    ['POST /v1/events/trigger', { name: 'w', to: Array.from({ length: 40_000 }, () => 5) }, undefined],
  ] as const) {
    const { status, json, text } = await call(line, body)
    const { errors } = json as { errors: Record<string, { messages: string[] }> }
    expect(status).toBe(422)
    expect(Object.keys(errors).length).toBeLessThanOrEqual(51)
    expect(errors['general']?.messages.join()).toBe(more)
    expect(text.length).toBeLessThan(20_000)
  }
  const long = await call('POST /v2/topics', { key: 'a', ['n'.repeat(1_000_000)]: 1 })
  expect(long.text.length).toBeLessThan(2000)
  expect(long).toMatchObject({ status: 422, json: { errors: { [`${'n'.repeat(200)}…`]: {} } } })
})

test('rejects an invalid key for a new topic', async (context) => {
  const { call } = await startTestService('sqlite', context)
  for (const [line, body] of [
    ['POST /v1/topics/bad%20key/subscribers', { subscribers: ['ada'] }],
    ['POST /v2/topics/bad%20key/subscriptions', { subscriptions: ['ada'] }],
  ] as const)
    expect(await call(line, body)).toMatchObject({
      status: 422,
      json: { errors: { topicKey: { messages: [expect.stringContaining('must consist of')], value: 'bad key' } } },
    })
})

test('reports its health and status', async (context) => {
  const { call } = await startTestService('sqlite', context)
  expect(await call('GET /health', undefined, { key: null })).toMatchObject({
    status: 200,
    json: { status: 'ok', database: 'sqlite' },
  })
  await call('GET /v2/topics')
  const { text, headers } = await call('GET /metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('trestle_http_requests_total{operation="topics.list",status="200"} 1')
  expect(text).toMatch(/trestle_queue_items\{state="due"\} 0/)
})

test('logs requests by id, without keys, queries or bodies', async (context) => {
  const lines: string[] = []
  const { call } = await startTestService('sqlite', context, {
    logLevel: 'trace',
    log: { write: (line) => void lines.push(line) },
  })
  const { headers } = await call('POST /v2/subscribers?failIfExists=true', {
    subscriberId: 'ada',
    email: 'ada@example.org',
  })
  await call('GET /v2/subscribers?email=ada@example.org', undefined, { headers: { 'idempotency-key': 'canary-key' } })
  await call('GET /v2/subscribers', undefined, { key: 'sk_wrong_key_canary' })
  const log = lines.join('')
  expect(log).toContain(headers.get('x-request-id'))
  expect(log).toContain('"operation":"subscribers.create"')
  for (const secret of [
    testKeys.Development,
    testKeys.Production,
    'sk_wrong_key_canary',
    'ada@example.org',
    'canary-key',
  ])
    expect(log).not.toContain(secret)
})

test('checks an idempotency key only where keys are honored', async (context) => {
  const headers = { 'idempotency-key': 'k'.repeat(256) }
  const tooLong = { status: 400, json: { message: expect.stringContaining('maximum length of 255 characters') } }
  const honored = await startTestService('sqlite', context)
  expect(await honored.call('POST /v2/subscribers', { subscriberId: 'ada' }, { headers })).toMatchObject(tooLong)
  const ignored = await startTestService('sqlite', context, { idempotency: false })
  const created = await ignored.call('POST /v2/subscribers', { subscriberId: 'ada' }, { headers })
  expect(created.status).toBe(201)
  expect(created.headers.get('idempotency-key')).toBeNull()
})

test('responds to a rate-limited call with its headers, and releases its idempotency key', async (context) => {
  const clock = createManualClock()
  const { call } = await startTestService('sqlite', context, { plan: 'free', clock })
  const bulk = { subscribers: [{ subscriberId: 'ada' }] }
  const headers = { 'idempotency-key': 'one' }
  expect((await call('POST /v1/subscribers/bulk', bulk)).headers.get('ratelimit-policy')).toContain('cost="bulk"')
  const refused = await call('POST /v1/subscribers/bulk', bulk, { headers })
  expect(refused).toMatchObject({ status: 429, json: { statusCode: 429, message: 'API rate limit exceeded' } })
  expect(refused.headers.get('retry-after')).toBe('5')
  clock.advance(5000)
  const again = await call('POST /v1/subscribers/bulk', bulk, { headers })
  expect(again).toMatchObject({ status: 201 })
  expect(again.headers.get('idempotency-replay')).toBeNull()
  expect((await call('POST /v1/subscribers/bulk', bulk, { headers })).headers.get('idempotency-replay')).toBe('true')
})

test('removes only old finished runs', async (context) => {
  const clock = createManualClock()
  const { service } = await startTestService('sqlite', context, { clock, retentionMs: 1000 })
  const { db } = service.store
  const environment = await db.selectFrom('environments').select('id').executeTakeFirstOrThrow()
  const base = {
    environmentId: environment.id,
    transactionId: 't',
    workflowId: 'w',
    workflowIdentifier: 'w',
    subscriberId: 's',
    payload: '{}',
    overrides: '{}',
    actor: null,
    tenant: null,
    context: null,
    contextKeys: '[]',
    topics: '[]',
    recipient: '{}',
    bridgeUrl: null,
    tags: '[]',
    channels: '[]',
    severity: 'none',
    critical: 0,
    controls: '{}',
    sequence: 1,
    next: null,
    nextClaim: null,
    nextFailures: 0,
    isBulk: 0,
    ...({ parentRunId: null, parentJobId: null, isAwaited: 0, depth: 0, rootRunId: null, descendants: 0 } as const),
    digestedRunId: null,
  } as const
  const nowMs = clock.now()
  const add = async (name: string, finishedAt: number | null) => {
    const id = createId(nowMs)
    await db
      .insertInto('runs')
      .values({
        ...base,
        id,
        triggerId: id,
        externalSubscriberId: name,
        status: finishedAt === null ? 'running' : 'completed',
        createdAt: nowMs,
        updatedAt: nowMs,
        finishedAt,
      })
      .execute()
    await db
      .insertInto('executionDetails')
      .values({
        id: createId(nowMs),
        environmentId: environment.id,
        runId: id,
        jobId: null,
        messageId: null,
        status: 'Success',
        detail: name,
        source: 'Internal',
        providerId: null,
        raw: null,
        isTest: 0,
        isRetry: 0,
        createdAt: nowMs,
      })
      .execute()
  }
  await add('old', nowMs)
  await add('running', null)
  clock.advance(500)
  await add('young', clock.now())
  clock.advance(501)
  expect(await service.removeOldRuns()).toBe(1)
  const left = await db.selectFrom('runs').select('externalSubscriberId').orderBy('externalSubscriberId').execute()
  expect(left.map((row) => row.externalSubscriberId)).toEqual(['running', 'young'])
  const details = await db.selectFrom('executionDetails').select('detail').orderBy('detail').execute()
  expect(details.map((row) => row.detail)).toEqual(['running', 'young'])
})

test('rejects invalid options by name', async () => {
  await expect(startService({ port: 70_000 })).rejects.toThrow(/port/)
  await expect(startService({ plan: 'gold' as never })).rejects.toThrow(/plan/)
  await expect(startService({ databaseUrl: 'mysql://x' })).rejects.toThrow(/postgres:\/\//)
  await expect(startService({ encryptionKey: 'short', databaseFile: ':memory:' })).rejects.toThrow(/32 bytes/)
})
