import { describe, expect, test } from 'vitest'
import { serveSmtp } from '../../channels/email/smtp-server.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('integrations on %s', (driver) => {
  test('keep their credentials encrypted and show them masked', async (context) => {
    const { call, service, log } = await startTestService(driver, context)
    const credentials = {
      host: 'smtp.example.com',
      port: '587',
      user: 'canary-user',
      password: 'canary-password',
      secure: false,
      tlsOptions: { ca: 'canary-ca' },
    }
    const made = await call('POST', '/v1/integrations', {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'Our mail!',
      active: true,
      credentials,
    })
    expect(made.status).toBe(201)
    const { data } = made.body
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
    const kept = { ...data.credentials, host: 'other.example.com' }
    const changed = await call('PUT', `/v1/integrations/${data._id}`, { credentials: kept })
    expect(changed.body.data.credentials).toEqual({ ...data.credentials, host: 'other.example.com' })
    expect((await call('PUT', `/v1/integrations/${data._id}`, { credentials: { apiKey: '******' } })).status).toBe(422)
    const rows = await service.store.db.selectFrom('integrations').selectAll().execute()
    const replies = [made, changed, await call('GET', '/v1/integrations'), await call('GET', '/v1/integrations/active')]
    expect(JSON.stringify([rows, replies, log])).not.toContain('canary')
  })

  test('have one first choice in a channel, also when it goes or is switched off', async (context) => {
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

  test('refuse what could not be used', async (context) => {
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

  test('are tried before they are stored, where that is asked for', async (context) => {
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
})

describe.each(drivers)('layouts and translations on %s', (driver) => {
  test('layouts of the first version', async (context) => {
    const { call } = await startTestService(driver, context)
    const body = {
      name: 'One',
      identifier: 'one',
      content: '<main>{{{ body }}}</main>',
      variables: [{ name: 'brand', defaultValue: 'B' }],
    }
    const made = await call('POST', '/v1/layouts', { ...body, isDefault: true })
    expect(made).toMatchObject({ status: 201, body: { data: { _id: expect.stringMatching(/^[0-9a-f]{24}$/) } } })
    const one = made.body.data._id
    const two = (await call('POST', '/v1/layouts', { ...body, identifier: 'two' })).body.data._id
    expect((await call('GET', `/v1/layouts/${one}`)).body.data).toMatchObject({
      ...body,
      isDefault: true,
      channel: 'email',
      isDeleted: false,
    })
    expect((await call('POST', `/v1/layouts/${two}/default`)).status).toBe(204)
    const listed = await call('GET', '/v1/layouts?pageSize=1&page=1')
    expect(listed.body).toMatchObject({
      page: 1,
      pageSize: 1,
      totalCount: 2,
      data: [{ identifier: 'one', isDefault: false }],
    })
    expect((await call('PATCH', `/v1/layouts/${one}`, { name: 'New' })).body.data).toMatchObject({
      name: 'New',
      identifier: 'one',
    })
    const refused: readonly [string, string, unknown, number][] = [
      ['POST', '', { ...body }, 409],
      ['POST', '', { ...body, identifier: 'x', content: '<p>no place</p>' }, 400],
      ['POST', '', { ...body, identifier: 'x', content: '{{#if a}}{{{body}}}{{/if}}' }, 400],
      ['PATCH', `/${one}`, {}, 400],
      ['PATCH', `/${two}`, { isDefault: false }, 409],
      ['PATCH', '/nothing', { name: 'x' }, 404],
      ['DELETE', `/${two}`, undefined, 409],
      ['GET', '/nothing', undefined, 404],
    ]
    for (const [method, at, sent, status] of refused)
      expect([method, at, (await call(method, `/v1/layouts${at}`, sent)).status]).toEqual([method, at, status])
    expect((await call('DELETE', `/v1/layouts/${one}`)).status).toBe(204)
    expect((await call('DELETE', `/v1/layouts/${two}`)).status).toBe(204)
    expect((await call('GET', '/v1/layouts')).body.totalCount).toBe(0)
  })

  test('layouts of the second version, with preview and copy', async (context) => {
    const { call } = await startTestService(driver, context)
    const made = await call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    expect(made).toMatchObject({
      status: 201,
      body: { layoutId: 'standard', isDefault: true, origin: 'external', type: 'BRIDGE' },
    })
    expect((await call('POST', '/v2/layouts', { layoutId: 'other', name: 'Other_1' })).body.isDefault).toBe(false)
    const controlValues = { email: { body: '<i>{{ subscriber.firstName }}</i>{{content}}', editorType: 'html' } }
    const changed = await call('PUT', '/v2/layouts/standard', { name: 'Renamed', controlValues })
    expect(changed.body).toMatchObject({ name: 'Renamed', controls: { values: controlValues } })
    const preview = await call('POST', '/v2/layouts/standard/preview', {
      previewPayload: { subscriber: { firstName: '<G>' } },
    })
    expect(preview).toMatchObject({
      status: 201,
      body: { result: { type: 'email', preview: { body: '<i>&#60;G&#62;</i><p>The content of the email.</p>' } } },
    })
    const copy = await call('POST', '/v2/layouts/standard/duplicate', { name: 'Copy', layoutId: 'copy' })
    expect(copy.body).toMatchObject({ layoutId: 'copy', isDefault: false, controls: { values: controlValues } })
    const listed = await call('GET', '/v2/layouts?query=oth&limit=5')
    expect(listed.body).toMatchObject({ totalCount: 1, layouts: [{ layoutId: 'other' }] })
    expect((await call('GET', '/v2/layouts?query=_1')).body.totalCount).toBe(1)
    expect((await call('GET', '/v2/layouts?query=%25')).body.totalCount).toBe(0)
    expect((await call('GET', '/v2/layouts/standard/usage')).body).toEqual({ workflows: [] })
    expect(
      (await call('PUT', '/v2/layouts/standard', { name: 'x', controlValues: { email: { body: 'no place' } } })).status,
    ).toBe(422)
    expect(
      (
        await call('PUT', '/v2/layouts/standard', {
          name: 'x',
          controlValues: { email: { body: '{{content}}', editorType: 'block' } },
        })
      ).status,
    ).toBe(422)
    expect((await call('DELETE', '/v2/layouts/copy')).status).toBe(204)
    expect((await call('GET', '/v2/layouts/copy')).status).toBe(404)
  })

  test('translations belong to what they translate', async (context) => {
    const { call } = await startTestService(driver, context)
    await call('POST', '/v2/layouts', { layoutId: 'standard', name: 'Standard' })
    const body = {
      resourceType: 'layout',
      resourceId: 'standard',
      locale: 'de-at',
      content: { a: { b: 'Servus {{ subscriber.firstName }}' } },
    }
    expect((await call('POST', '/v2/translations', body)).body).toMatchObject({ ...body, locale: 'de_AT' })
    await call('POST', '/v2/translations', { ...body, locale: 'en', content: { a: 'Hi' } })
    expect((await call('POST', '/v2/translations', { ...body, locale: 'en', content: { a: 'Hello' } })).status).toBe(
      200,
    )
    expect((await call('GET', '/v2/translations/layout/standard/EN')).body.content).toEqual({ a: 'Hello' })
    expect((await call('GET', '/v2/translations/group/layout/standard')).body).toMatchObject({
      locales: ['de_AT', 'en'],
      resourceName: 'Standard',
    })
    const master = await call('POST', '/v2/translations/master-json', {
      locale: 'fr',
      masterJson: { layouts: { standard: { a: 'Salut' } }, workflows: { nothing: {} } },
    })
    expect(master.body).toMatchObject({ success: false, successful: ['standard'], failed: ['nothing'] })
    expect((await call('GET', '/v2/translations/master-json?locale=fr')).body).toEqual({
      workflows: {},
      layouts: { standard: { a: 'Salut' } },
    })
    const refused: readonly [unknown, number][] = [
      [{ ...body, resourceId: 'nothing' }, 404],
      [{ ...body, resourceType: 'page' }, 422],
      [{ ...body, locale: 'english' }, 422],
      [{ ...body, content: { a: 1 } }, 422],
      [{ ...body, content: { a: '{% if x %}' } }, 422],
      [{ ...body, content: { a: '{{ a | nofilter }}' } }, 422],
      [{ ...body, content: [] }, 422],
    ]
    for (const [sent, status] of refused)
      expect([sent, (await call('POST', '/v2/translations', sent)).status]).toEqual([sent, status])
    expect((await call('DELETE', '/v2/translations/layout/standard/de_AT')).status).toBe(204)
    expect((await call('DELETE', '/v2/translations/layout/standard/de_AT')).status).toBe(404)
    await call('DELETE', '/v2/layouts/standard')
    expect((await call('GET', '/v2/translations/layout/standard/en')).status).toBe(404)
  })
})

describe.each(drivers)('channel connections and endpoints on %s', (driver) => {
  test('are created, listed, changed and deleted; tokens are stored encrypted and masked', async (context) => {
    const { call, service, log } = await startTestService(driver, context)
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1' })
    const auth = { accessToken: 'canary-token', refreshToken: 'canary-refresh', expiresAt: '2027-01-01' }
    const body = {
      integrationIdentifier: 'slack-1',
      workspace: { id: 'W1', name: 'Work' },
      auth,
      context: { account: 'acme' },
    }
    const made = await call('POST', '/v1/channel-connections', { ...body, identifier: 'c1', subscriberId: 'ada' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        identifier: 'c1',
        channel: 'chat',
        providerId: 'slack',
        subscriberId: 'ada',
        contextKeys: ['account:acme'],
        workspace: { id: 'W1' },
        auth: { accessToken: '******', refreshToken: '******', expiresAt: '2027-01-01' },
      },
    })
    expect((await call('POST', '/v1/channel-connections', { ...body, subscriberId: 'ada' })).status).toBe(409)
    expect(
      (await call('POST', '/v1/channel-connections', { ...body, identifier: 'c1', subscriberId: 'eve' })).status,
    ).toBe(409)
    expect((await call('POST', '/v1/channel-connections', { ...body, integrationIdentifier: 'nothing' })).status).toBe(
      404,
    )
    expect((await call('POST', '/v1/channel-connections', { ...body, identifier: 'shared' })).body.subscriberId).toBe(
      null,
    )
    const idsOf = async (query: string) =>
      (await call('GET', `/v1/channel-connections${query}`)).body.data.map(
        (item: { identifier: string }) => item.identifier,
      )
    expect(await idsOf('')).toEqual(['shared', 'c1'])
    expect(await idsOf('?connectionMode=shared')).toEqual(['shared'])
    expect(await idsOf('?subscriberId=ada&channel=chat&contextKeys=account:acme')).toEqual(['c1'])
    expect(await idsOf('?contextKeys=account:acm')).toEqual([])
    expect(
      (
        await call('PATCH', '/v1/channel-connections/c1', {
          workspace: { id: 'W2' },
          auth: { accessToken: 'canary-new' },
        })
      ).body.workspace,
    ).toEqual({ id: 'W2' })
    expect(
      (await call('PATCH', '/v1/channel-connections/c1', { workspace: { id: 'W2' }, auth: { accessToken: '******' } }))
        .status,
    ).toBe(422)
    const endpoint = {
      identifier: 'e1',
      integrationIdentifier: 'slack-1',
      connectionIdentifier: 'c1',
      subscriberId: 'ada',
      type: 'webhook',
      endpoint: { url: 'https://hooks.example.com/x' },
    }
    expect((await call('POST', '/v1/channel-endpoints', endpoint)).status).toBe(404)
    expect(await call('POST', '/v1/channel-endpoints', { ...endpoint, createSubscriberIfMissing: true })).toMatchObject(
      {
        status: 201,
        body: { type: 'webhook', endpoint: { url: 'https://hooks.example.com/x' }, connectionIdentifier: 'c1' },
      },
    )
    expect(
      (await call('POST', '/v1/channel-endpoints', { ...endpoint, identifier: 'e2', connectionIdentifier: 'nothing' }))
        .status,
    ).toBe(404)
    expect((await call('POST', '/v1/channel-endpoints', { ...endpoint, identifier: 'e2', type: 'phone' })).status).toBe(
      422,
    )
    const duty = {
      ...endpoint,
      identifier: 'e3',
      type: 'pagerduty_service',
      endpoint: { routingKey: 'canary-routing', region: 'eu' },
    }
    expect((await call('POST', '/v1/channel-endpoints', duty)).body.endpoint).toEqual({
      routingKey: '******',
      region: 'eu',
    })
    expect(
      (await call('PATCH', '/v1/channel-endpoints/e1', { endpoint: { url: 'https://hooks.example.com/y' } })).body
        .endpoint,
    ).toEqual({ url: 'https://hooks.example.com/y' })
    expect((await call('PATCH', '/v1/channel-endpoints/e1', { endpoint: { channelId: 'x' } })).status).toBe(422)
    expect((await call('GET', '/v1/channel-endpoints?connectionIdentifier=c1&limit=1')).body).toMatchObject({
      totalCount: 2,
      data: [{ identifier: 'e3' }],
    })
    const rows = [
      await service.store.db.selectFrom('channelConnections').selectAll().execute(),
      await service.store.db.selectFrom('channelEndpoints').selectAll().execute(),
    ]
    expect(JSON.stringify([rows, log])).not.toContain('canary')
    expect((await call('DELETE', '/v1/channel-endpoints/e1')).status).toBe(204)
    expect((await call('GET', '/v1/channel-endpoints/e1')).status).toBe(404)
    expect((await call('DELETE', '/v1/channel-connections/c1')).status).toBe(204)
    expect((await call('GET', '/v1/channel-connections/c1')).status).toBe(404)
  })
})
