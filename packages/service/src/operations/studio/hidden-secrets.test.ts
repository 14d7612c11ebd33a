import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { secretKey, startTestService } from '../service.fixture.ts'

/** Contains characters that JSON escapes, because some responses contain JSON as a string. */
const secret = 'canary "secret" \\ value'

describe.each(drivers)('secrets (%s)', (driver) => {
  test('are masked in all data of a run', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    const message = `GET https://api.example.com/?token=${secret} failed (${secretKey})`
    const values = [{ _environmentId: environmentId, value: secret }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    bridge.answer('execute', { status: 400, body: { code: 'StepExecutionFailedError', message, data: { message } } })

    const headers = { authorization: `ApiKey ${secretKey}` }
    const ending = new AbortController()
    context.onTestFinished(() => ending.abort())
    const all = await fetch(`${service.url}/v1/studio/events`, { headers, signal: ending.signal })
    const chunks: string[] = []
    const reading = (async () => {
      for await (const chunk of all.body ?? []) chunks.push(Buffer.from(chunk).toString())
    })().catch(() => undefined)

    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: { quoted: `of ${secret}` } })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe('failed')
    const { _id: id, transactionId } = await run()
    const one = await fetch(`${service.url}/v1/studio/runs/${id}/events?until=end`, { headers })
    await expect.poll(() => chunks.join(''), { timeout: 10_000 }).toContain('"runStatus":"failed"')
    ending.abort()
    await reading

    const paths = [
      ...[`/v1/studio/runs/${id}`, '/v1/studio/bridge-calls', '/v1/notifications', `/v1/notifications/${id}`],
      ...[`/v1/execution-details?notificationId=${id}&subscriberId=ada`, `/v1/notifications/${id}/recording`],
    ]
    const texts = [chunks.join(''), await one.text()]
    for (const path of paths) texts.push((await call('GET', path)).text)
    for (const [index, text] of texts.entries()) {
      expect(text, String(index)).toContain('token=******')
      expect(text, String(index)).not.toContain('canary')
      expect(text, String(index)).not.toContain(secretKey)
    }
    expect(texts[1]).toContain(transactionId)
  })

  test('are masked in calls that were stored before they became secret', async (context) => {
    const { call, environmentId } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    const values = [{ _environmentId: environmentId, value: 'canary-of-later' }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', values })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: {} })
    const calls = async () => (await call('GET', '/v1/studio/bridge-calls?action=execute')).text
    await expect.poll(calls, { timeout: 10_000 }).toContain('canary-of-later')
    expect((await call('PATCH', '/v1/environment-variables/TOKEN', { isSecret: true })).status).toBe(200)
    expect(await calls()).not.toContain('canary')
  })

  test('are not masked in values of the service itself, such as ids and step types', async (context) => {
    const { call, environmentId } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const failure = { code: 'StepExecutionFailedError', message: 'no stock', data: null }
    bridge.answer('execute', { status: 400, body: failure })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: {} })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe('failed')
    const { _id: id } = await run()
    const before = (await call('GET', `/v1/notifications/${id}`)).body.data
    const value = id.slice(4, 12)
    const values = [{ _environmentId: environmentId, value }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    const after = (await call('GET', `/v1/notifications/${id}`)).body.data
    expect([after._id, after.jobs[0].type]).toEqual([id, before.jobs[0].type])
    const { body } = await call('GET', `/v1/execution-details?notificationId=${id}&subscriberId=ada`)
    expect(body.data[0]._notificationId).toBe(id)
  })

  test('keep their values when a run is edited and run again, for the same recipient only', async (context) => {
    const { call, environmentId, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const values = [{ _environmentId: environmentId, value: secret }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    const payload = { link: `https://a.example/?t=${secret}`, list: [{ token: secret }], note: 'old' }
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload })
    const runs = async () => (await call('GET', '/v1/studio/runs')).body.data
    await expect.poll(runs, { timeout: 10_000 }).toHaveLength(1)
    const [run] = await runs()
    const maskedPayload = (await call('GET', `/v1/studio/runs/${run._id}`)).body.payload
    expect(JSON.stringify(maskedPayload)).not.toContain('canary')
    const path = `/v1/studio/runs/${run._id}/repeat`
    const again = await call('POST', path, { payload: { ...maskedPayload, note: 'new' }, to: 'ada' })
    expect(again.status).toBe(201)
    await expect.poll(runs, { timeout: 10_000 }).toHaveLength(2)
    const sent = await service.store.db
      .selectFrom('runs')
      .select('payload')
      .where('transactionId', '=', again.body.transactionId)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(sent.payload)).toEqual({ ...payload, note: 'new' })
    expect((await call('POST', path, { payload: maskedPayload, to: 'eve' })).status).toBe(422)
    expect((await call('POST', path, { payload: { note: 'x' }, to: 'eve' })).status).toBe(201)
    expect((await call('POST', path)).status).toBe(201)
  })

  test('are not available to previews, whose templates and rules could reveal parts of them', async (context) => {
    const { call, environmentId } = await startTestService(driver, context)
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const values = [{ _environmentId: environmentId, value: secret }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    const region = [{ _environmentId: environmentId, value: 'eu' }]
    await call('POST', '/v1/environment-variables', { key: 'REGION', values: region })
    const steps = [{ name: 'tell', type: 'sms', controlValues: { body: 'Hi' } }]
    const created = await call('POST', '/v2/workflows', {
      ...{ name: 'Stored', workflowId: 'stored', active: true },
      steps,
    })
    const [{ stepId }] = created.body.steps
    const preview = async (body: string) => {
      const path = `/v1/studio/workflows/stored/steps/${stepId}/preview`
      return (await call('POST', path, { controls: { body } })).body.data.outputs.body
    }
    expect(await preview('{{ env.REGION }} {{ env.TOKEN | split: "" | join: "-" }}')).toBe('eu *-*-*-*-*-*')
    expect(await preview('{{ env.TOKEN | base64_encode }}')).toBe(Buffer.from('******').toString('base64'))
    expect(await preview(`{% if env.TOKEN contains "canary" %}yes{% else %}no{% endif %}`)).toBe('no')
    expect((await call('POST', '/v1/studio/workflows/welcome/steps/tell/preview', {})).status).toBe(200)
    expect(bridge.calls.at(-1)).toMatchObject({ action: 'preview', body: { env: { REGION: 'eu', TOKEN: '******' } } })
  })
})
