import type { JsonObject } from '@trestle/protocol'
import { describe, expect, it, type TestContext } from 'vitest'
import { type FakeAnswer, serveProvider } from '../../channels/fake-provider.fixture.ts'
import type { StoreDriver } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const waiting = { timeout: 20_000, interval: 20 }
const accepted: FakeAnswer = { text: '{"id":"re-1","MessageID":"pm-1"}' }

/** Starts a service with two email integrations, the first of which passes its rejected messages to the second. */
async function start(driver: StoreDriver, context: TestContext) {
  const { call, service } = await startTestService(driver, context, { work: true })
  const [first, second] = [await serveProvider(() => accepted), await serveProvider(() => accepted)]
  for (const [providerId, { url: baseUrl }] of Object.entries({ resend: first, postmark: second })) {
    const credentials = { apiKey: `canary-${providerId}`, from: 'shop@example.com', baseUrl }
    const more = { identifier: providerId, configurations: { failover: providerId === 'resend' } }
    const body = { providerId, channel: 'email', active: true, credentials, ...more }
    expect((await call('POST', '/v1/integrations', body)).status).toBe(201)
  }
  await call('POST', '/v1/workflows', {
    name: 'Hello',
    notificationGroupId: (await call('GET', '/v1/notification-groups')).body.data[0]._id,
    active: true,
    steps: [{ template: { type: 'email', subject: 'Hi', content: 'Hi' } }],
  })
  /** Triggers the workflow, and returns its run and message once it has ended. */
  async function run() {
    const to = { subscriberId: 'ada', email: 'ada@example.com' }
    const { body } = await call('POST', '/v1/events/trigger', { name: 'hello', to })
    const find = async () =>
      (await call('GET', `/v1/studio/runs?transactionId=${body.data.transactionId}`)).body.data[0] ?? {}
    await expect.poll(async () => (await find())['finishedAt'] ?? null, waiting).not.toBeNull()
    const { body: whole } = await call('GET', `/v1/studio/runs/${(await find())['_id']}`)
    return { whole, message: whole.messages[0] }
  }
  const counts = () => [first.received.length, second.received.length]
  return { first, second, service, run, counts }
}

describe.each(drivers)('failover of a triggered message (%s)', (driver) => {
  it('sends it once, through the second integration, after the account of the first one is rejected', async (context) => {
    const { first, second, service, run, counts } = await start(driver, context)
    first.answerNext({ status: 401, text: 'bad key canary-resend' })
    const { whole, message } = await run()
    expect(whole).toMatchObject({
      status: 'completed',
      hasWarnings: false,
      steps: [{ status: 'completed', reason: null }],
    })
    expect(whole.messages).toHaveLength(1)
    expect(message).toMatchObject({ status: 'sent', providerId: 'postmark', providerMessageId: 'pm-1' })
    expect(counts()).toEqual([1, 1])
    expect(first.received[0]?.headers['idempotency-key']).toBe(message._id)
    expect(second.received[0]).toMatchObject({ body: { To: 'ada@example.com', Subject: 'Hi' } })
    const history = whole.details.filter(({ _messageId }: JsonObject) => _messageId === message._id)
    expect(history).toMatchObject([
      { providerId: 'resend', status: 'Pending', detail: 'Message created' },
      { providerId: 'resend', status: 'Warning', isRetry: true, detail: expect.stringContaining('"postmark"') },
      { providerId: 'postmark', status: 'Success', detail: 'Message sent' },
    ])
    expect(JSON.stringify(whole)).not.toContain('canary')
    // None of it is left in the queue.
    await expect.poll(() => service.store.db.selectFrom('queueItems').select('id').execute(), waiting).toEqual([])
    expect(counts()).toEqual([1, 1])
  })

  it('ends with the reason of the second integration if both refuse', async (context) => {
    const { first, second, run, counts } = await start(driver, context)
    first.answerNext({ status: 403 })
    second.answerNext({ status: 402, text: 'no credit' })
    const { whole, message } = await run()
    expect(message).toMatchObject({ status: 'error', errorId: 'http_402', providerId: 'postmark' })
    expect(whole.steps[0].reason).toMatchObject({ kind: 'provider', code: 'http_402' })
    expect(counts()).toEqual([1, 1])
  })

  it('does not happen if the first integration may have sent it, or the message is at fault', async (context) => {
    const { first, run, counts } = await start(driver, context)
    for (const status of [500, 422]) {
      first.answerNext({ status })
      const { message } = await run()
      expect(message).toMatchObject({ status: 'error', errorId: `http_${status}`, providerId: 'resend' })
    }
    expect(counts()).toEqual([2, 0])
  })
})
