import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '../../../../bridge-client/fixtures/certificate.ts'
import { toSubscriberHash } from '../../keys/subscriber-hash.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey, startTestService } from '../service.fixture.ts'

const hashOf = (subscriberId: string, secret = secretKey): string => toSubscriberHash(secret, subscriberId)

/** Serves a provider's response to a token exchange, under any host name. */
async function serveProvider(answer: (form: URLSearchParams) => unknown) {
  const authority = createCertificate('Test Authority', { isAuthority: true })
  const { cert, key } = createCertificate('slack.com', { issuer: authority })
  const forms: URLSearchParams[] = []
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      forms.push(form)
      response.end(JSON.stringify(answer(form)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const bridge = {
    ca: authority.cert,
    lookup: async () => ['93.184.216.34'],
    connect: () => connect(port, '127.0.0.1'),
  }
  return { forms, bridge }
}

describe.each(drivers)('connecting a chat channel (%s)', (driver) => {
  test('redirects to the provider and back, and stores the webhook for the subscriber', async (context) => {
    const { forms, bridge } = await serveProvider(() => ({
      ok: true,
      incoming_webhook: { url: 'https://hooks.slack.com/canary', channel: '#general' },
    }))
    const { call, service, environmentId, addSubscriber, log } = await startTestService(driver, context, { bridge })
    await addSubscriber('ada')
    const credentials = {
      clientId: 'client-1',
      secretKey: 'canary-client',
      redirectUrl: 'https://app.example.com/back',
    }
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1', active: true, credentials })
    const path = `${service.url}/v1/subscribers/ada/credentials/slack/oauth`
    const query = `environmentId=${environmentId}&hmacHash=${hashOf('ada')}`
    const asked = await call('GET', `/v1/subscribers/ada/credentials/slack/oauth?${query}`)
    expect(asked.status).toBe(200)
    const url = new URL(asked.body.data.url)
    expect(url.origin + url.pathname).toBe('https://slack.com/oauth/v2/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'client-1',
      scope: 'incoming-webhook',
      redirect_uri: 'https://app.example.com/back',
    })
    const state = encodeURIComponent(url.searchParams.get('state') ?? '')
    const back = await fetch(`${path}/callback?code=the-code&state=${state}`)
    expect([back.status, await back.json()]).toEqual([200, { data: { connected: true } }])
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      client_id: 'client-1',
      client_secret: 'canary-client',
      redirect_uri: 'https://app.example.com/back',
    })
    const row = await service.store.db.selectFrom('subscribers').select('channels').executeTakeFirstOrThrow()
    expect(JSON.parse(row.channels)).toMatchObject([
      {
        providerId: 'slack',
        integrationIdentifier: 'slack-1',
        credentials: { webhookUrl: 'https://hooks.slack.com/canary', channel: '#general' },
      },
    ])
    expect(log.join('')).not.toContain('canary')
    // A state can be used once.
    for (const code of ['the-code', 'another'])
      expect((await fetch(`${path}/callback?code=${code}&state=${state}`)).status).toBe(400)
    expect(forms).toHaveLength(1)
    const foreign = await fetch(`${path.replace('ada', 'eve')}/callback?code=the-code&state=${state}`)
    expect(foreign.status).toBe(400)
    expect((await fetch(`${path}/callback?code=the-code&state=${state}x`)).status).toBe(400)
    await call('DELETE', '/v2/subscribers/ada')
    await addSubscriber('ada')
    expect((await fetch(`${path}/callback?code=the-code&state=${state}`)).status).toBe(400)
    const { channels } = await service.store.db.selectFrom('subscribers').select('channels').executeTakeFirstOrThrow()
    expect(channels).toBe('[]')
    expect(forms).toHaveLength(1)
  })

  test('rejects a wrong hash, environment, subscriber or integration', async (context) => {
    const { forms, bridge } = await serveProvider(() => ({ ok: false }))
    const { call, environmentId, addSubscriber } = await startTestService(driver, context, { bridge })
    await addSubscriber('ada')
    const credentials = { clientId: 'c', secretKey: 's', redirectUrl: 'https://app.example.com/back' }
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1', active: true, credentials })
    await call('POST', '/v1/integrations', { providerId: 'discord', active: true })
    const ask = async (who: string, provider: string, query: Record<string, string>) =>
      (await call('GET', `/v1/subscribers/${who}/credentials/${provider}/oauth?${new URLSearchParams(query)}`)).status
    const right = { environmentId, hmacHash: hashOf('ada') }
    expect(await ask('ada', 'slack', right)).toBe(200)
    expect(await ask('ada', 'slack', { environmentId })).toBe(422)
    expect(await ask('ada', 'slack', { ...right, hmacHash: hashOf('eve') })).toBe(400)
    expect(await ask('ada', 'slack', { ...right, hmacHash: hashOf('ada', 'other') })).toBe(400)
    expect(await ask('ada', 'slack', { ...right, hmacHash: right.hmacHash.toUpperCase() })).toBe(400)
    const plain = createHmac('sha256', secretKey).update('ada').digest('hex')
    expect(await ask('ada', 'slack', { ...right, hmacHash: plain })).toBe(400)
    expect(await ask('ada', 'slack', { ...right, environmentId: 'nothing' })).toBe(400)
    expect(await ask('eve', 'slack', { ...right, hmacHash: hashOf('eve') })).toBe(404)
    expect(await ask('ada', 'slack', { ...right, integrationIdentifier: 'other' })).toBe(404)
    expect(await ask('ada', 'fcm', right)).toBe(400)
    expect(await ask('ada', 'discord', right)).toBe(400)
    const { body } = await call('GET', `/v1/subscribers/ada/credentials/slack/oauth?${new URLSearchParams(right)}`)
    const state = new URL(body.data.url).searchParams.get('state') ?? ''
    const back = await call(
      'GET',
      `/v1/subscribers/ada/credentials/slack/oauth/callback?${new URLSearchParams({ code: 'no', state })}`,
    )
    expect(back.status).toBe(422)
    expect(forms).toHaveLength(1)
  })

  test('reports that the provider returned an error, and then needs a new start', async (context) => {
    const { forms, bridge } = await serveProvider(() => ({ ok: false }))
    const { call, service, environmentId, addSubscriber } = await startTestService(driver, context, { bridge })
    await addSubscriber('ada')
    const credentials = { clientId: 'c', secretKey: 's', redirectUrl: 'https://app.example.com/back' }
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1', active: true, credentials })
    const path = '/v1/subscribers/ada/credentials/slack/oauth'
    const start = async () => {
      const { body } = await call('GET', `${path}?${new URLSearchParams({ environmentId, hmacHash: hashOf('ada') })}`)
      return new URL(body.data.url).searchParams.get('state') ?? ''
    }
    const back = async (query: Record<string, string>) => {
      const response = await fetch(`${service.url}${path}/callback?${new URLSearchParams(query)}`)
      return [response.status, ((await response.json()) as { message: string }).message]
    }
    const state = await start()
    const declined = { error: 'access_denied', error_description: 'The user said no.' }
    expect(await back({ ...declined, state })).toEqual([400, 'The authorization was declined at the provider.'])
    expect(await back({ ...declined, state })).toEqual([400, expect.stringContaining('state')])
    expect(await back({ code: 'the-code', state })).toEqual([400, expect.stringContaining('state')])
    const other = { error: 'invalid_scope', state: await start() }
    expect(await back(other)).toEqual([400, 'The provider rejected the authorization: invalid_scope.'])
    expect(await back({ ...declined, state: 'invented' })).toEqual([400, expect.stringContaining('state')])
    expect((await back({ state: await start() }))[0]).toBe(422)
    expect(forms).toEqual([])
  })

  test('uses the key of its environment', async (context) => {
    const { call, callWith, service, environmentId, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    const credentials = { clientId: 'c', secretKey: 's', redirectUrl: 'https://app.example.com/back' }
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1', active: true, credentials })
    const path = `/v1/subscribers/ada/credentials/slack/oauth?${new URLSearchParams({ environmentId, hmacHash: hashOf('ada') })}`
    expect((await call('GET', path)).status).toBe(200)
    expect((await fetch(service.url + path)).status).toBe(401)
    const foreign = await callWith(productionKey)('GET', path)
    expect(foreign).toMatchObject({ status: 400, body: { message: expect.stringContaining('hmacHash') } })
  })
})
