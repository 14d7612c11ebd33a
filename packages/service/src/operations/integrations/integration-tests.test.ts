import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { serveSmtp } from '../../channels/email/smtp-server.fixture.ts'
import { serveProvider } from '../../channels/fake-provider.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('test messages (%s)', (driver) => {
  test('are sent through an inactive integration, and store nothing', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const received: string[] = []
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      received.push(text)
      response.end('{"id":"m-1"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    context.onTestFinished(() => void server.close())
    const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const integrationResponse = await call('POST', '/v1/integrations', {
      ...{ providerId: 'generic-sms', name: 'Texts', active: false, credentials: { webhookUrl, idPath: 'id' } },
    })
    const path = `/v1/studio/integrations/${integrationResponse.body.data._id}/test`
    expect((await call('POST', path, {})).status).toBe(422)
    const sent = await call('POST', path, { to: '+15005550006' })
    expect(sent.body.data).toEqual({ ok: true, providerMessageId: 'm-1' })
    expect(JSON.parse(received[0] ?? '')).toMatchObject({
      to: '+15005550006',
      content: expect.stringContaining('works'),
    })
    expect(await service.store.db.selectFrom('messages').selectAll().execute()).toEqual([])
    expect((await call('POST', '/v1/studio/integrations/none/test', {})).status).toBe(404)
  })

  test('return a provider’s rejection without its secrets', async (context) => {
    const { call } = await startTestService(driver, context)
    const smtp = await serveSmtp({ user: 'ada', password: 'right' })
    const credentials = {
      host: '127.0.0.1',
      port: String(smtp.port),
      user: 'ada',
      password: 'canary-wrong',
      from: 'a@b.example',
    }
    const integrationResponse = await call('POST', '/v1/integrations', {
      providerId: 'nodemailer',
      name: 'Mail',
      credentials,
    })
    const path = `/v1/studio/integrations/${integrationResponse.body.data._id}/test`
    const refused = await call('POST', path, { to: 'ada@example.com' })
    expect(refused.body.data).toMatchObject({ ok: false, message: expect.any(String) })
    expect(refused.text).not.toContain('canary')
  })

  test('report a temporary rejection as it is, because they are not retried', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const provider = await serveProvider(() => ({ status: 429, text: 'slow down' }))
    const credentials = { apiKey: 'canary-key', from: 'a@b.example', baseUrl: provider.url }
    const { body } = await call('POST', '/v1/integrations', { providerId: 'resend', name: 'Mail', credentials })
    const sent = await call('POST', `/v1/studio/integrations/${body.data._id}/test`, { to: 'ada@example.com' })
    expect(sent.body.data).toEqual({ ok: false, code: 'http_429', message: expect.stringContaining('slow down') })
    expect(sent.text).not.toMatch(/retried|canary/)
    expect(await service.store.db.selectFrom('messages').selectAll().execute()).toEqual([])
  })

  test('have a provider list that contains no saved credentials', async (context) => {
    const { call } = await startTestService(driver, context)
    const { body } = await call('GET', '/v1/studio/providers')
    const smtp = body.data.find(({ providerId }: { readonly providerId: string }) => providerId === 'nodemailer')
    expect(smtp).toMatchObject({ name: 'SMTP', channel: 'email' })
    expect(smtp.fields[0]).toEqual({ name: 'host', label: 'Host', hint: 'Such as smtp.example.com.', required: true })
  })
})
