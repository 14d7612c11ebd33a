import { describe, expect, test } from 'vitest'
import { createVault } from '../../secrets/vault.ts'
import { blankWorkflow } from '../../store/blank-rows.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { readVariables } from '../../variables/read-variables.ts'
import { productionKey, startTestService } from '../service.fixture.ts'

const path = '/v1/environment-variables'
const vault = createVault(Buffer.alloc(32, 5))

describe.each(drivers)('environment variables (%s)', (driver) => {
  test('are created, listed, updated and deleted; secret values are masked and stored encrypted', async (context) => {
    const { call, environmentId, service, log } = await startTestService(driver, context)
    const values = [{ _environmentId: environmentId, value: 'canary-secret' }]
    const response = await call('POST', path, { key: 'TOKEN', isSecret: true, values })
    expect(response).toMatchObject({
      status: 200,
      body: {
        key: 'TOKEN',
        type: 'string',
        isSecret: true,
        values: [{ _environmentId: environmentId, value: '******' }],
      },
    })
    await call('POST', path, { key: 'host_name', values: [{ _environmentId: environmentId, value: 'example.org' }] })
    expect((await call('GET', path)).body.map((item: { key: string }) => item.key)).toEqual(['TOKEN', 'host_name'])
    expect((await call('GET', `${path}?search=HOST`)).body).toMatchObject([
      { key: 'host_name', values: [{ value: 'example.org' }] },
    ])
    const changed = await call('PATCH', `${path}/host_name`, {
      values: [{ _environmentId: environmentId, value: 'canary-two' }],
      isSecret: true,
    })
    expect(changed.body).toMatchObject({ isSecret: true, values: [{ value: '******' }] })
    expect((await call('PATCH', `${path}/TOKEN`, { key: 'TOKEN2' })).body).toMatchObject({ key: 'TOKEN2' })
    const storedVariables = await readVariables(service.store.db, vault, environmentId)
    expect(storedVariables.variables).toEqual({ TOKEN2: 'canary-secret', host_name: 'canary-two' })
    expect(storedVariables.secrets.toSorted()).toEqual(['canary-secret', 'canary-two'])
    const rows = await service.store.db.selectFrom('variableValues').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect(log.join('')).not.toContain('canary')
    expect((await call('DELETE', `${path}/TOKEN2`)).status).toBe(204)
    expect((await call('GET', `${path}/TOKEN2`)).status).toBe(404)
    expect((await readVariables(service.store.db, vault, environmentId)).variables).toEqual({ host_name: 'canary-two' })
  })

  test('belong to one environment: another cannot see or change them, and can reuse their names', async (context) => {
    const { call, callWith, environmentId, service } = await startTestService(driver, context)
    const callProduction = callWith(productionKey)
    const production = (await callProduction('GET', '/v1/environments/me')).body.data._id
    await call('POST', path, { key: 'HOST', values: [{ _environmentId: environmentId, value: 'dev' }] })
    expect((await callProduction('GET', path)).body).toEqual([])
    for (const [method, body] of [['GET'], ['PATCH', { isSecret: true }], ['DELETE']] as const)
      expect((await callProduction(method, `${path}/HOST`, body)).status).toBe(404)
    expect((await callProduction('GET', `${path}/HOST/usage`)).status).toBe(404)
    const values = [{ _environmentId: production, value: 'prod' }]
    expect((await callProduction('POST', path, { key: 'HOST', isSecret: true, values })).status).toBe(200)
    expect((await call('GET', `${path}/HOST`)).body).toMatchObject({
      isSecret: false,
      values: [{ _environmentId: environmentId, value: 'dev' }],
    })
    expect((await readVariables(service.store.db, vault, production)).variables).toEqual({ HOST: 'prod' })
    expect((await call('PATCH', `${path}/HOST`, { key: 'NAME' })).body.key).toBe('NAME')
    expect((await call('DELETE', `${path}/NAME`)).status).toBe(204)
    expect((await callProduction('GET', `${path}/HOST`)).status).toBe(200)
  })

  test('are removed with their environment', async (context) => {
    const { call, callWith, environmentId, service } = await startTestService(driver, context, { work: true })
    const environment = (await call('POST', '/v1/environments', { name: 'Preview' })).body.data
    const callPreview = callWith(environment.apiKeys[0].key)
    const value = (_environmentId: string) => ({ key: 'HOST', values: [{ _environmentId, value: 'x' }] })
    await call('POST', path, value(environmentId))
    await callPreview('POST', path, value(environment._id))
    expect((await callPreview('DELETE', `/v1/environments/${environment._id}`)).status).toBe(200)
    const rows = () => service.store.db.selectFrom('variableValues').select('environmentId').execute()
    await expect.poll(rows, { timeout: 30_000 }).toEqual([{ environmentId }])
  })

  test('cannot have invalid values', async (context) => {
    const { call, environmentId } = await startTestService(driver, context)
    const value = { _environmentId: environmentId, value: 'x' }
    await call('POST', path, { key: 'A', isSecret: true, values: [value] })
    const refused: readonly [string, string, unknown, number][] = [
      ['POST', path, { key: 'A' }, 409],
      ['POST', path, { key: '1A' }, 422],
      ['POST', path, { key: 'name' }, 422],
      ['POST', path, { key: 'a-b' }, 422],
      ['POST', path, { key: 'B', type: 'number' }, 422],
      ['POST', path, { key: 'B', values: [value, value] }, 422],
      ['POST', path, { key: 'B', values: [{ _environmentId: 'other', value: 'x' }] }, 422],
      ['POST', path, { key: 'B', values: [{ ...value, value: '******' }] }, 422],
      ['POST', path, { key: 'B', values: [{ ...value, value: 'x'.repeat(257) }] }, 422],
      ['POST', path, { key: 'B', unknown: 1 }, 422],
      ['PATCH', `${path}/A`, {}, 400],
      ['PATCH', `${path}/A`, { isSecret: false }, 422],
      ['PATCH', `${path}/nothing`, { key: 'C' }, 404],
      ['DELETE', `${path}/nothing`, undefined, 404],
    ]
    for (const [method, at, body, status] of refused)
      expect([at, body, (await call(method, at, body)).status]).toEqual([at, body, status])
    expect((await call('GET', path)).body).toHaveLength(1)
  })

  test('list the workflows whose controls use them', async (context) => {
    const { call, environmentId, service } = await startTestService(driver, context)
    const { db } = service.store
    const times = { createdAt: 1, updatedAt: 1 }
    const workflow = { ...blankWorkflow, environmentId, origin: 'external', active: 1, ...times } as const
    const steps = ['{{ env.HOST }}', '{{ env.HOSTS }} {{ env . OTHER }}', 'nothing'].map((text) =>
      JSON.stringify([{ controlSchema: { default: text } }]),
    )
    for (const [index, text] of steps.entries())
      await db
        .insertInto('workflows')
        .values({
          ...workflow,
          id: `00000000000000000000000${index}`,
          identifier: `w${index}`,
          name: `W${index}`,
          steps: text,
        })
        .execute()
    const controls = {
      workflowId: '000000000000000000000002',
      stepId: 's',
      environmentId,
      controls: '{"body":"{{env.HOST}}"}',
      updatedAt: 1,
    }
    await db.insertInto('stepControls').values(controls).execute()
    for (const key of ['HOST', 'OTHER', 'UNUSED']) await call('POST', path, { key })
    expect((await call('GET', `${path}/HOST/usage`)).body).toEqual({
      workflows: [
        { name: 'W0', workflowId: 'w0' },
        { name: 'W2', workflowId: 'w2' },
      ],
    })
    expect((await call('GET', `${path}/OTHER/usage`)).body).toEqual({ workflows: [{ name: 'W1', workflowId: 'w1' }] })
    expect((await call('GET', `${path}/UNUSED/usage`)).body).toEqual({ workflows: [] })
  })
})

describe.each(drivers)('contexts and blueprints (%s)', (driver) => {
  test('contexts are created, found, updated and deleted', async (context) => {
    const { call } = await startTestService(driver, context)
    for (const id of ['acme', 'a_me', 'b.me'])
      expect((await call('POST', '/v2/contexts', { type: 'account', id, data: { n: id } })).status).toBe(201)
    expect((await call('POST', '/v2/contexts', { type: 'account', id: 'acme' })).status).toBe(409)
    expect((await call('POST', '/v2/contexts', { type: 'Account', id: 'x' })).status).toBe(422)
    expect((await call('POST', '/v2/contexts', { type: 'a', id: 'x', bridgeUrl: 'no' })).status).toBe(422)
    const idsOf = async (query: string) =>
      (await call('GET', `/v2/contexts${query}`)).body.data.map((item: { id: string }) => item.id)
    expect(await idsOf('')).toEqual(['b.me', 'a_me', 'acme'])
    expect(await idsOf('?search=A_M')).toEqual(['a_me'])
    expect(await idsOf('?search=%25')).toEqual([])
    expect(await idsOf('?id=acme')).toEqual(['acme'])
    expect(await idsOf('?limit=1&orderDirection=ASC')).toEqual(['acme'])
    const bridgeUrl = 'https://example.org/api/bridge'
    expect((await call('PATCH', '/v2/contexts/account/acme', { data: { b: 1 }, bridgeUrl })).body).toMatchObject({
      data: { b: 1 },
      bridgeUrl,
    })
    expect((await call('PATCH', '/v2/contexts/account/acme', { data: {}, bridgeUrl: null })).body).not.toHaveProperty(
      'bridgeUrl',
    )
    expect((await call('GET', '/v2/contexts/account/acme')).body).toMatchObject({
      type: 'account',
      id: 'acme',
      data: {},
    })
    expect((await call('DELETE', '/v2/contexts/account/acme')).status).toBe(204)
    expect((await call('GET', '/v2/contexts/account/acme')).status).toBe(404)
  })

  test('blueprints are grouped, and found by id and identifier', async (context) => {
    const { call } = await startTestService(driver, context)
    const { body } = await call('GET', '/v1/blueprints/group-by-category')
    expect(body.general.map((group: { name: string }) => group.name)).toEqual(['Onboarding', 'Activity', 'Security'])
    const popular = body.popular.blueprints.map(
      (one: { triggers: { identifier: string }[] }) => one.triggers[0]?.identifier,
    )
    expect(popular).toEqual(['welcome', 'activity-digest', 'password-reset'])
    const reset = await call('GET', '/v1/blueprints/password-reset')
    expect(reset.body).toMatchObject({
      isBlueprint: true,
      critical: true,
      steps: [{ type: 'email', controlValues: { subject: expect.any(String) } }],
    })
    expect((await call('GET', `/v1/blueprints/${reset.body._id}`)).body).toEqual(reset.body)
    expect((await call('GET', '/v1/blueprints/nothing')).status).toBe(404)
  })
})
