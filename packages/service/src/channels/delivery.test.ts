import { describe, expect, test, vi } from 'vitest'
import { serveBridge } from '../operations/bridge.fixture.ts'
import { startTestService } from '../operations/service.fixture.ts'
import { drivers } from '../store/stores.fixture.ts'
import { serveSmtp } from './email/smtp-server.fixture.ts'

describe.each(drivers)('a triggered email (%s)', (driver) => {
  test('is sent once through the SMTP server configured over the API, in its recipient’s layout and language', async (context) => {
    const bridge = await serveBridge()
    const server = await serveSmtp({ user: 'me', password: 'canary-password' })
    const { call, service, log } = await startTestService(driver, context, { work: true })
    await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
    const credentials = {
      host: '127.0.0.1',
      port: String(server.port),
      user: 'me',
      password: 'canary-password',
      from: 'shop@example.org',
    }
    await call('POST', '/v1/integrations', { providerId: 'nodemailer', active: true, check: true, credentials })
    await call('POST', '/v1/layouts', {
      name: 'L',
      identifier: 'l',
      isDefault: true,
      content: '{% if subscriber.firstName %}<header>{{ t.head }}</header>{% endif %}{{{ body }}}',
    })
    await call('POST', '/v2/translations', {
      resourceType: 'layout',
      resourceId: 'l',
      locale: 'fr',
      content: { head: '{% unless payload.vip %}Bonjour{% endunless %} {{ subscriber.firstName }}' },
    })
    const to = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', locale: 'fr_CA' }
    const { transactionId } = (await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: {} })).body.data
    const waiting = await vi.waitFor(async () => {
      const job = await service.store.db
        .selectFrom('jobs')
        .select('id')
        .where('status', '=', 'delayed')
        .executeTakeFirst()
      expect(job).toBeDefined()
      return job
    }, 15_000)
    await call('POST', `/v1/studio/jobs/${waiting?.id}/skip-wait`)
    await vi.waitFor(() => expect(server.received).toHaveLength(1), 15_000)
    expect(server.received).toMatchObject([{ from: 'shop@example.org', to: ['ada@example.com'], user: 'me' }])
    expect(server.received[0]?.source).toContain('<header>Bonjour Ada</header><p>Hi</p>')
    const messages = await vi.waitFor(async () => {
      const { data } = (await call('GET', `/v1/messages?channel=email&transactionId=${transactionId}`)).body
      expect(data).toMatchObject([{ status: 'sent' }])
      return data
    }, 15_000)
    expect(messages[0]).toMatchObject({ providerId: 'nodemailer', email: 'ada@example.com', subject: 'Hello' })
    expect((await call('GET', '/v1/studio/outbox')).body.data).toEqual([])
    const { data: runs } = (await call('GET', `/v1/notifications?transactionId=${transactionId}`)).body
    const run = await vi.waitFor(async () => {
      const response = await call('GET', `/v1/notifications/${runs[0]._id}`)
      expect(response.body.data.jobs.map((job: { status: string }) => job.status)).toEqual([
        'completed',
        'completed',
        'completed',
      ])
      return response
    }, 15_000)
    expect(run.text).toContain('Message sent')
    expect(run.text + log.join('')).not.toContain('canary')
  })
})
