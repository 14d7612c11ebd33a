import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { startTestService, type TestService } from '../start/service.fixture.ts'
import { createDatabase, drivers } from '../store/stores.fixture.ts'
import { createTestChannels, type TestChannels, toDelivery } from './channels.fixture.ts'
import { serveSmtp } from './email/smtp-server.fixture.ts'

/** A response from a provider: its status and the requested wait. */
type Answer = readonly [status: number, retryAfter?: string]

interface Provider {
  readonly baseUrl: string
  readonly asked: { readonly headers: IncomingHttpHeaders; readonly atMs: number }[]
}

/** A provider with scripted responses; the last one repeats. */
async function serveProvider(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  answers: readonly Answer[],
  slowMs = 0,
): Promise<Provider> {
  const asked: Provider['asked'] = []
  const server = createServer((request, response) => {
    const [status, retryAfter] = answers[Math.min(asked.length, answers.length - 1)] ?? [200]
    asked.push({ headers: request.headers, atMs: performance.now() })
    request.resume()
    setTimeout(() => {
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('{}')
    }, slowMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Channels on SQLite, which is always available. */
function createOwnChannels(): Promise<TestChannels> {
  return createTestChannels('sqlite', { onTestFinished, skip: () => undefined as never })
}

describe('an answer', () => {
  test.each<[Answer, number | undefined]>([
    [[429], 1000],
    [[429, '4'], 4000],
    [[503, '1'], 1000],
    [[503], undefined],
    [[503, '90'], 90_000],
    [[429, '3600'], undefined],
    [[400], undefined],
    [[408], undefined],
    [[500, '1'], undefined],
    [[502, '1'], undefined],
    [[504], undefined],
  ])('%j defers a message by %s ms, or fails it', async (answer, expected) => {
    const provider = await serveProvider({ onTestFinished }, [answer])
    const channels = await createOwnChannels()
    await channels.addIntegration({ providerId: 'generic-sms', channel: 'sms' }, { ...provider, from: 'me' })
    const { messages } = await channels.put(toDelivery('sms', { body: 'b' }))
    const [message] = messages
    if (!message) throw new Error('There is no message.')
    const { patch, notes } = await channels.send(message)
    const isPutOff = expected !== undefined
    expect(patch).toMatchObject({ status: isPutOff ? 'pending' : 'error', attempts: 1 })
    expect(patch.delivery).toBe(isPutOff ? undefined : null)
    expect(notes).toMatchObject([{ status: isPutOff ? 'Warning' : 'Failed' }])
    expect(notes[0]?.isRetry).toBe(isPutOff || undefined)
    if (isPutOff) expect((Number(patch.retryAt) - Number(patch.updatedAt)) / expected).toBeCloseTo(1.1, 0)
    else expect(patch.retryAt).toBeNull()
    const last = await channels.send({ ...message, attempts: 5 })
    expect(last).toMatchObject({ patch: { status: 'error', errorId: `http_${answer[0]}`, attempts: 6 } })
  })

  test('that is lost fails a message, while a refused connection defers it', async () => {
    const hang = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => hang.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void hang.close())
    const { port } = hang.address() as AddressInfo
    const send = async (base: string) => {
      const channels = await createOwnChannels()
      await channels.addIntegration({ providerId: 'generic-sms', channel: 'sms' }, { baseUrl: base, from: 'me' })
      const [row] = await channels.deliver(toDelivery('sms', { body: 'b' }))
      return row?.status
    }
    expect(await send('http://127.0.0.1:1')).toBe('pending')
    expect(await send(`http://127.0.0.1:${port}`)).toBe('error')
  })

  test('from a mail server can defer an email or fail it', async () => {
    const statusOf = async (responseCode: number, port?: number) => {
      const server = await serveSmtp({ refused: 'ada@example.com', responseCode })
      const channels = await createOwnChannels()
      const credentials = { host: '127.0.0.1', port: port ?? server.port, from: 'a@b.example' }
      await channels.addIntegration({ providerId: 'nodemailer', channel: 'email' }, credentials)
      const [row] = await channels.deliver(toDelivery('email', { subject: 's', body: 'b' }))
      return [row?.status, row?.attempts]
    }
    expect(await statusOf(451)).toEqual(['pending', 1])
    expect(await statusOf(550)).toEqual(['error', 1])
    expect(await statusOf(451, 1)).toEqual(['pending', 1])
  })
})

/** A workflow that sends an SMS, and then waits an hour. */
async function begin({ call }: TestService, { baseUrl }: Provider): Promise<string> {
  const integration = { providerId: 'generic-sms', channel: 'sms', active: true, check: false }
  await call('POST /v1/integrations', { ...integration, name: 'Texts', credentials: { baseUrl, from: 'me' } })
  const steps = [
    { stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } },
    { stepId: 'd', name: 'D', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
  ]
  await call('POST /v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  const { json } = await call('POST /v1/events/trigger', { name: 'w', to: { subscriberId: 'a', phone: '+491' } })
  return (json as { data: { transactionId: string } }).data.transactionId
}

/** A workflow whose chat step sends to both. */
async function beginChat({ call }: TestService, providers: readonly Provider[]): Promise<string> {
  for (const { baseUrl } of providers) {
    const integration = { providerId: 'chat-webhook', channel: 'chat', active: true, check: false }
    await call('POST /v1/integrations', { ...integration, name: baseUrl, credentials: { webhookUrl: baseUrl } })
  }
  const steps = [{ stepId: 's', name: 'S', type: 'chat', controlValues: { body: 'b' } }]
  await call('POST /v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  const { json } = await call('POST /v1/events/trigger', { name: 'w', to: 'a' })
  return (json as { data: { transactionId: string } }).data.transactionId
}

interface Told {
  readonly jobs: { status: string; executionDetails: { detail: string; isRetry: boolean }[] }[]
}

async function readRun({ call }: TestService, transactionId: string): Promise<Told> {
  const { json } = await call(`GET /v1/notifications?transactionId=${transactionId}`)
  return (json as { data: Told[] }).data[0] as Told
}

const statusesOf = ({ jobs }: Told): readonly string[] => jobs.map(({ status }) => status)

// The tests wait in real time, and run concurrently.
describe.concurrent.each(drivers)('a deferred message (%s)', (driver) => {
  test('is retried once after the wait, and the run continues', async (context) => {
    const provider = await serveProvider(context, [[429, '1'], [503, '0'], [200]])
    const started = await startTestService(driver, context)
    const transactionId = await begin(started, provider)
    await vi.waitFor(() => expect(provider.asked).toHaveLength(1), 30_000)
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['queued', 'pending'])
    }, 30_000)
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['completed', 'delayed'])
    }, 15_000)
    const [first, second, third] = provider.asked
    expect(Number(second?.atMs) - Number(first?.atMs)).toBeGreaterThanOrEqual(1000)
    expect(Number(third?.atMs) - Number(second?.atMs)).toBeGreaterThanOrEqual(5000)
    expect(new Set(provider.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(provider.asked).toHaveLength(3)
    const { jobs } = await readRun(started, transactionId)
    const details = jobs[0]?.executionDetails ?? []
    expect(details.filter(({ isRetry }) => isRetry)).toHaveLength(2)
    expect(details.at(-1)?.detail).toBe('Message sent')
    const { json } = await started.call(`GET /v1/messages?transactionId=${transactionId}`)
    expect(json).toMatchObject({ data: [{ status: 'sent' }] })
  })

  test('waits independently of other messages of its step', async (context) => {
    const [slow, quick] = [
      await serveProvider(context, [[429, '4'], [200]]),
      await serveProvider(context, [[429, '0'], [503, '0'], [200]]),
    ]
    const started = await startTestService(driver, context)
    const transactionId = await beginChat(started, [slow, quick])
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['completed'])
    }, 20_000)
    expect([slow.asked.length, quick.asked.length]).toEqual([2, 3])
    const waits = [slow, quick].map(({ asked }) => Number(asked[1]?.atMs) - Number(asked[0]?.atMs))
    expect(waits[0]).toBeGreaterThanOrEqual(4000)
    expect(waits[1]).toBeGreaterThanOrEqual(1000)
    expect(quick.asked[1]?.atMs).toBeLessThan(Number(slow.asked[1]?.atMs))
  })

  test.for([
    ['disabled', 'PUT', { active: false, check: false }],
    ['deleted', 'DELETE', undefined],
  ])('fails if its integration is %s during the wait', async ([, method, body], context) => {
    const provider = await serveProvider(context, [[429, '4'], [200]])
    const started = await startTestService(driver, context)
    const transactionId = await begin(started, provider)
    await vi.waitFor(() => expect(provider.asked).toHaveLength(1), 30_000)
    const { json } = await started.call('GET /v1/integrations')
    const [integration] = (json as { data: { _id: string }[] }).data
    const { status } = await started.call(`${method} /v1/integrations/${integration?._id}`, body)
    expect(status).toBeLessThan(300)
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['completed', 'delayed'])
    }, 30_000)
    expect(provider.asked).toHaveLength(1)
    const messages = await started.call(`GET /v1/messages?transactionId=${transactionId}`)
    expect(messages.json).toMatchObject({ data: [{ status: 'error', errorId: 'integration_stopped' }] })
  })

  test('is not sent if its run is canceled', async (context) => {
    const provider = await serveProvider(context, [[503, '2']])
    const started = await startTestService(driver, context)
    const transactionId = await begin(started, provider)
    await vi.waitFor(async () => {
      expect(provider.asked).not.toEqual([])
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['queued', 'pending'])
    }, 30_000)
    await started.call(`DELETE /v1/events/trigger/${transactionId}`)
    // On a slow machine, the next attempt may have begun.
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['canceled', 'canceled'])
    }, 30_000)
    const { length } = provider.asked
    const { json } = await started.call(`GET /v1/messages?transactionId=${transactionId}`)
    expect(json).toMatchObject({ data: [{ status: 'error', errorId: 'canceled' }] })
    await new Promise((resolve) => setTimeout(resolve, 3500))
    expect(provider.asked).toHaveLength(length)
  })

  test('is not sent if its run is canceled while the provider is called', async (context) => {
    const provider = await serveProvider(context, [[429, '1'], [200]], 1000)
    const started = await startTestService(driver, context)
    const transactionId = await begin(started, provider)
    await vi.waitFor(() => expect(provider.asked).toHaveLength(1), 30_000)
    await started.call(`DELETE /v1/events/trigger/${transactionId}`)
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(started, transactionId))).toEqual(['canceled', 'canceled'])
    }, 30_000)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(provider.asked).toHaveLength(1)
  })

  test('is sent after a restart', async (context) => {
    const answers: Answer[] = [[429, '2']]
    const provider = await serveProvider(context, answers)
    const { address } = await createDatabase(driver, context)
    const options = { ...address, encryptionKey: Buffer.alloc(32, 5).toString('base64') }
    const first = await startTestService(driver, context, options)
    const transactionId = await begin(first, provider)
    await vi.waitFor(async () => {
      expect(provider.asked).not.toEqual([])
      expect(statusesOf(await readRun(first, transactionId))).toEqual(['queued', 'pending'])
    }, 30_000)
    await first.service.stop()
    answers[0] = [200]
    const { length } = provider.asked
    const second = await startTestService(driver, context, options)
    await vi.waitFor(async () => {
      expect(statusesOf(await readRun(second, transactionId))).toEqual(['completed', 'delayed'])
    }, 30_000)
    expect(provider.asked).toHaveLength(length + 1)
  })
})
