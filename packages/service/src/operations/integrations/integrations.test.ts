import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { serveSmtp } from '../../channels/email/smtp-server.fixture.ts'
import { serveProvider } from '../../channels/fake-provider.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const blankTalk = {
  agentId: 'helper',
  status: 'open',
  platform: 'slack',
  subscriberId: null,
  platformContext: '{}',
  title: '',
  summary: null,
  metadata: '{}',
  messageCount: 0,
  fileBytes: 0,
  lastPosition: 0,
  changes: 0,
  typingUntil: null,
  createdAt: 1,
  lastActivityAt: 1,
  changedAt: 1,
} as const

describe.each(drivers)('integrations (%s)', (driver) => {
  test('have encrypted credentials that are masked in responses', async (context) => {
    const { call, service, log } = await startTestService(driver, context)
    const credentials = {
      host: 'smtp.example.com',
      port: '587',
      user: 'canary-user',
      password: 'canary-password',
      secure: false,
      tlsOptions: { ca: 'canary-ca' },
    }
    const response = await call('POST', '/v1/integrations', {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'Our mail!',
      active: true,
      credentials,
    })
    expect(response.status).toBe(201)
    const { data } = response.body
    expect(data).toMatchObject({
      providerId: 'nodemailer',
      primary: true,
      active: true,
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: '******',
        password: '******',
        secure: false,
        tlsOptions: { ca: '******' },
      },
    })
    expect(data.identifier).toMatch(/^our-mail-[0-9a-f]{8}$/)
    const kept = { ...data.credentials, from: 'shop@example.com' }
    const changed = await call('PUT', `/v1/integrations/${data._id}`, { credentials: kept })
    expect(changed.body.data.credentials).toEqual({ ...data.credentials, from: 'shop@example.com' })
    expect((await call('PUT', `/v1/integrations/${data._id}`, { credentials: { apiKey: '******' } })).status).toBe(422)
    const rows = await service.store.db.selectFrom('integrations').selectAll().execute()
    const replies = [
      response,
      changed,
      await call('GET', '/v1/integrations'),
      await call('GET', '/v1/integrations/active'),
    ]
    expect(JSON.stringify([rows, replies, log])).not.toContain('canary')
  })

  test('have one primary per channel, even after it is deleted or disabled', async (context) => {
    const { call } = await startTestService(driver, context)
    const add = async (identifier: string, channel = 'sms') => {
      const providerId = channel === 'sms' ? 'generic-sms' : 'slack'
      return (await call('POST', '/v1/integrations', { providerId, identifier, active: true })).body.data._id
    }
    const [one, two, three] = [await add('one'), await add('two'), await add('three')]
    const chat = await add('chat', 'chat')
    const primary = async () => {
      const { data } = (await call('GET', '/v1/integrations')).body
      return data.filter((item: { primary: boolean }) => item.primary).map((item: { _id: string }) => item._id)
    }
    expect(await primary()).toEqual([one])
    expect((await call('POST', `/v1/integrations/${two}/set-primary`)).status).toBe(200)
    expect(await primary()).toEqual([two])
    await call('PUT', `/v1/integrations/${two}`, { active: false })
    expect(await primary()).toEqual([one])
    const left = await call('DELETE', `/v1/integrations/${one}`)
    expect(left.body.data.map((item: { _id: string }) => item._id)).toEqual([two, three, chat])
    expect(await primary()).toEqual([three])
    await call('POST', `/v1/integrations/${chat}/set-primary`)
    expect((await primary()).toSorted()).toEqual([three, chat].toSorted())
  })

  test('cannot have invalid values', async (context) => {
    const { call, environmentId } = await startTestService(driver, context)
    const first = (
      await call('POST', '/v1/integrations', { providerId: 'novu', channel: 'in_app', identifier: 'inbox' })
    ).body.data
    const refused: readonly [string, string, unknown, number][] = [
      ['POST', '', {}, 422],
      ['POST', '', { providerId: 'nodemailer', channel: 'sms' }, 422],
      ['POST', '', { providerId: 'unheard-of' }, 422],
      ['POST', '', { providerId: 'novu', channel: 'in_app' }, 400],
      ['POST', '', { providerId: 'slack', identifier: 'inbox' }, 409],
      ['POST', '', { providerId: 'slack', _environmentId: 'other' }, 422],
      ['POST', '', { providerId: 'slack', colour: 'red' }, 422],
      [
        'POST',
        '',
        {
          providerId: 'slack',
          conditions: [{ children: [{ on: 'webhook', field: 'a', operator: 'EQUAL', value: '1' }] }],
        },
        422,
      ],
      ['PUT', `/${first._id}`, {}, 400],
      ['PUT', '/nothing', { name: 'x' }, 404],
      ['DELETE', '/nothing', undefined, 404],
      ['POST', '/nothing/set-primary', undefined, 404],
      ['GET', '/webhook/provider/nothing/status', undefined, 404],
      ['GET', '/webhook/provider/novu/status', undefined, 400],
    ]
    for (const [method, at, body, status] of refused)
      expect([at, body, (await call(method, `/v1/integrations${at}`, body)).status]).toEqual([at, body, status])
    const mail = { providerId: 'sendgrid', channel: 'email', _environmentId: environmentId }
    expect((await call('POST', '/v1/integrations', mail)).status).toBe(201)
    expect((await call('GET', '/v1/integrations/webhook/provider/sendgrid/status')).body).toEqual({ data: false })
  })

  test('are checked with the provider before they are saved, if requested', async (context) => {
    const { call, log } = await startTestService(driver, context)
    const server = await serveSmtp({ user: 'me', password: 'right' })
    const body = (password: string) => ({
      providerId: 'nodemailer',
      check: true,
      credentials: { host: '127.0.0.1', port: String(server.port), user: 'me', password },
    })
    const wrong = await call('POST', '/v1/integrations', body('canary-wrong'))
    expect(wrong).toMatchObject({ status: 422, body: { errors: { credentials: {} } } })
    expect(wrong.text + log.join('')).not.toContain('canary')
    expect((await call('POST', '/v1/integrations', body('right'))).status).toBe(201)
    const refused = { providerId: 'slack', check: true, credentials: { webhookUrl: 'http://localhost/hook' } }
    expect((await call('POST', '/v1/integrations', refused)).status).toBe(422)
    expect((await call('GET', '/v1/integrations')).body.data).toHaveLength(1)
  })

  test('keep their connections, endpoints and conversations if the identifier changes, until they are deleted', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const { db } = service.store
    const slack = { providerId: 'slack', identifier: 'slack' }
    const { _id } = (await call('POST', '/v1/integrations', slack)).body.data
    await call('POST', '/v1/integrations', { ...slack, identifier: 'other' })
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    const of = { integrationIdentifier: 'slack', subscriberId: 'ada' }
    await call('POST', '/v1/channel-connections', {
      ...of,
      identifier: 'c',
      workspace: { id: 'W' },
      auth: { accessToken: 'a' },
    })
    const endpoint = { type: 'webhook', endpoint: { url: 'https://shop.test/hook' } }
    for (const [identifier, integrationIdentifier] of [
      ['e', 'slack'],
      ['f', 'other'],
    ])
      await call('POST', '/v1/channel-endpoints', { ...of, ...endpoint, identifier, integrationIdentifier })
    const talk = (id: string, integrationIdentifier: string, threadKey: string) =>
      db.insertInto('conversations').values({ ...blankTalk, id, environmentId, integrationIdentifier, threadKey })
    await talk('1', 'slack', 'a').execute()
    await talk('2', 'slack', 'b').execute()
    await talk('3', 'chat', 'b').execute()
    const onPage = { ...blankTalk, id: '4', environmentId, integrationIdentifier: 'slack', threadKey: 'c' }
    await db
      .insertInto('conversations')
      .values({ ...onPage, platform: 'web' })
      .execute()
    expect((await call('PUT', `/v1/integrations/${_id}`, { identifier: 'chat' })).status).toBe(200)
    const integrationOf = async (path: string) => (await call('GET', path)).body.integrationIdentifier
    expect(await integrationOf('/v1/channel-connections/c')).toBe('chat')
    expect(await integrationOf('/v1/channel-endpoints/e')).toBe('chat')
    expect(await integrationOf('/v1/channel-endpoints/f')).toBe('other')
    const rows = await db.selectFrom('conversations').select('integrationIdentifier').orderBy('id').execute()
    expect(rows.map(({ integrationIdentifier }) => integrationIdentifier)).toEqual(['chat', 'slack', 'chat', 'slack'])
    expect((await call('DELETE', `/v1/integrations/${_id}`)).status).toBe(200)
    // A later integration with the same identifier does not reach the subscribers who trusted this one.
    await call('POST', '/v1/integrations', { ...slack, identifier: 'chat' })
    const left = async (path: string) => (await call('GET', path)).body.data.map((one: JsonObject) => one['identifier'])
    expect(await left('/v1/channel-connections')).toEqual([])
    expect(await left('/v1/channel-endpoints')).toEqual(['f'])
    expect(await db.selectFrom('conversations').select('id').execute()).toHaveLength(4)
  })

  test('keep the addresses of subscribers if the identifier changes, and do not share them with its next owner', async (context) => {
    const { call } = await startTestService(driver, context, { work: true })
    const [first, second] = [await serveProvider(() => ({})), await serveProvider(() => ({}))]
    const addSlack = async (identifier: string) =>
      (await call('POST', '/v1/integrations', { providerId: 'slack', active: true, identifier })).body.data._id
    const save = (integrationIdentifier: string, webhookUrl: string) =>
      call('PUT', '/v1/subscribers/ada/credentials', {
        ...{ providerId: 'slack', integrationIdentifier, credentials: { webhookUrl } },
      })
    const owners = async () => {
      const { channels } = (await call('GET', '/v2/subscribers/ada')).body
      return channels.map((channel: JsonObject) => [channel['integrationIdentifier'], channel['_integrationId']])
    }
    const one = await addSlack('slack-1')
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    await save('slack-1', first.url)
    expect((await call('PUT', `/v1/integrations/${one}`, { identifier: 'team' })).status).toBe(200)
    expect(await owners()).toEqual([['team', one]])
    const two = await addSlack('slack-1')
    await call('POST', '/v1/workflows', {
      name: 'Hello',
      notificationGroupId: (await call('GET', '/v1/notification-groups')).body.data[0]._id,
      active: true,
      steps: [{ template: { type: 'chat', content: 'Hi' } }],
    })
    const trigger = async () => {
      const { body } = await call('POST', '/v1/events/trigger', { name: 'hello', to: 'ada' })
      const find = `/v1/studio/runs?transactionId=${body.data.transactionId}`
      await expect
        .poll(async () => (await call('GET', find)).body.data[0]?.finishedAt ?? null, { timeout: 20_000 })
        .not.toBeNull()
      return [first, second].map(({ received }) => received.length)
    }
    expect(await trigger()).toEqual([1, 0])
    await save('slack-1', second.url)
    expect(await owners()).toEqual([
      ['team', one],
      ['slack-1', two],
    ])
    expect(await trigger()).toEqual([2, 1])
  })
})
