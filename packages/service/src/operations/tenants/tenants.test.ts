import { describe, expect, test } from 'vitest'
import { startTestService, testKeys } from '../../start/service.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'

describe.each(drivers)('tenants (%s)', (driver) => {
  test('are created, read, updated and deleted by their identifier', async (context) => {
    const { call } = await startTestService(driver, context)
    expect(await call('POST /v1/tenants', { identifier: 'acme', data: { plan: 'pro' } })).toMatchObject({
      status: 201,
      json: { data: { identifier: 'acme', data: { plan: 'pro' } } },
    })
    expect(await call('POST /v1/tenants', { identifier: 'acme' })).toMatchObject({ status: 409 })
    expect(await call('POST /v1/tenants', {})).toMatchObject({ status: 422, json: { errors: { identifier: {} } } })
    expect(await call('PATCH /v1/tenants/acme', { name: 'Acme' })).toMatchObject({
      json: { data: { name: 'Acme', data: { plan: 'pro' } } },
    })
    expect(await call('GET /v1/tenants/acme')).toMatchObject({ status: 200, json: { data: { name: 'Acme' } } })
    expect(await call('GET /v1/tenants?limit=5')).toMatchObject({ json: { page: 0, pageSize: 5, hasMore: false } })
    expect(await call('GET /v1/tenants/acme', undefined, { key: testKeys.Production })).toMatchObject({ status: 404 })
    expect(await call('DELETE /v1/tenants/acme')).toMatchObject({ status: 204, text: '' })
    expect(await call('GET /v1/tenants/acme')).toMatchObject({ status: 404 })
  })

  test('can have an override that disables a workflow, which the trigger response reports', async (context) => {
    const { call } = await startTestService(driver, context)
    const steps = [{ name: 'Inbox', type: 'in_app' }]
    await call('POST /v2/workflows', { name: 'News', workflowId: 'news', active: true, steps })
    await call('POST /v1/tenants', { identifier: 'acme' })
    await call('POST /v1/workflow-overrides', { workflowId: 'news', tenantId: 'acme', active: false })
    const trigger = async (tenant?: string) =>
      (
        (await call('POST /v1/events/trigger', { name: 'news', to: 'ada', ...(tenant ? { tenant } : {}) })).json as {
          data: { status: string }
        }
      ).data.status
    expect(await trigger()).toBe('processed')
    expect(await trigger('acme')).toBe('trigger_not_active')
    expect(await trigger('nobody')).toBe('no_tenant_found')
  })
})
