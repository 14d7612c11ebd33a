import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, secretKey, startTestService, type TestService } from '../service.fixture.ts'
import { toEventStream } from './event-stream.ts'

interface Transition {
  readonly id: string
  readonly runId: string
  readonly jobId: string | null
  readonly stepId: string | null
  readonly jobStatus: string | null
  readonly runStatus: string
  readonly detail: string
}

/** Reads a stream until an expected transition, or its end. */
async function readUntil(
  { service }: TestService,
  path: string,
  isLast: (one: Transition) => boolean,
): Promise<Transition[]> {
  const closing = new AbortController()
  const response = await fetch(service.url + path, {
    headers: { authorization: `ApiKey ${secretKey}` },
    signal: closing.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const transitions: Transition[] = []
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data) transitions.push(JSON.parse(data))
    }
    if (transitions.some(isLast)) break
  }
  closing.abort()
  return transitions
}

async function start(driver: (typeof drivers)[number], context: Parameters<typeof startTestService>[1]) {
  const bridge = await serveBridge()
  const started = await startTestService(driver, context, { work: true })
  const { call, environmentId } = started
  const values = [{ _environmentId: environmentId, value: 'canary-secret' }]
  await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
  expect((await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(201)
  const trigger = async () => {
    const to = { subscriberId: 'ada', email: 'ada@example.com' }
    const { body } = await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: { a: 1 } })
    return body.data.transactionId as string
  }
  return { ...started, bridge, trigger }
}

describe.each(drivers)('studio (%s)', (driver) => {
  test('shows a run live, skips its wait, and finds the email in the outbox', async (context) => {
    const started = await start(driver, context)
    const { call, callWith, trigger, log, bridge } = started
    const following = readUntil(started, '/v1/studio/events', ({ jobStatus }) => jobStatus === 'delayed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const transactionId = await trigger()
    const seen = await following
    const waiting = seen.findLast(({ jobStatus }) => jobStatus === 'delayed')
    expect(seen.map(({ stepId }) => stepId)).toContain('tell')
    expect((await call('GET', '/v1/studio/outbox')).body.data).toEqual([])
    expect((await call('POST', `/v1/studio/jobs/${waiting?.jobId}/skip-wait`)).body).toEqual({ skipped: true })
    const path = `/v1/studio/runs/${waiting?.runId}/events`
    const all = await readUntil(started, `${path}?until=end`, () => false)
    expect(all.at(-1)).toMatchObject({ runStatus: 'completed', stepId: 'mail', detail: 'Message kept in the outbox' })
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const later = await readUntil(started, `${path}?until=end&after=${all[3]?.id}`, () => false)
    expect(later.map(({ id }) => id)).toEqual(all.slice(4).map(({ id }) => id))
    expect((await call('POST', `/v1/studio/jobs/${waiting?.jobId}/skip-wait`)).status).toBe(409)
    expect((await call('POST', '/v1/studio/jobs/nothing/skip-wait')).status).toBe(404)
    expect((await call('GET', '/v1/studio/runs/nothing/events')).status).toBe(404)
    expect((await callWith(productionKey)('GET', path)).status).toBe(404)
    expect((await callWith(productionKey)('GET', '/v1/studio/bridge-calls')).body.data).toEqual([])
    const foreign = `/v1/studio/runs/${waiting?.runId}`
    for (const verb of ['cancel', 'repeat'])
      expect((await callWith(productionKey)('POST', `${foreign}/${verb}`)).status).toBe(404)
    const skip = `/v1/studio/jobs/${waiting?.jobId}/skip-wait`
    expect((await callWith(productionKey)('POST', skip)).status).toBe(404)

    const { data } = (await call('GET', `/v1/studio/outbox?transactionId=${transactionId}`)).body
    expect(data).toMatchObject([
      { channel: 'email', recipient: 'ada@example.com', content: { subject: 'Hello' }, readAt: null },
    ])
    expect((await call('POST', `/v1/studio/outbox/${data[0]._id}/read`)).body.readAt).toEqual(expect.any(String))
    expect((await call('GET', '/v1/studio/outbox?read=false')).body.data).toEqual([])
    expect((await call('GET', `/v1/studio/outbox/${data[0]._id}`)).body.content.html).toBe('<p>Hi</p>')

    expect(bridge.calls.find(({ stepId }) => stepId === 'tell')?.body['env']).toMatchObject({
      TOKEN: 'canary-secret',
      name: 'Development',
    })
    const calls = (await call('GET', `/v1/studio/bridge-calls?runId=${waiting?.runId}&orderDirection=ASC`)).body.data
    expect(calls.map((one: { request: { stepId: string } }) => one.request.stepId)).toEqual(['tell', 'wait', 'mail'])
    expect(calls[0]).toMatchObject({
      action: 'execute',
      status: 200,
      url: bridge.url,
      request: { event: { payload: { a: 1 }, env: { TOKEN: '******' } } },
      reply: { outputs: { data: { echoed: 'token ******' } } },
    })
    const details = await started.service.store.db.selectFrom('executionDetails').selectAll().execute()
    expect(JSON.stringify([calls, details, all, log])).not.toContain('canary')
    expect(JSON.stringify([calls, log])).not.toContain(secretKey)
  })

  test('cancels a run and runs it again', async (context) => {
    const started = await start(driver, context)
    const { call, trigger } = started
    const following = readUntil(started, '/v1/studio/events', ({ jobStatus }) => jobStatus === 'delayed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const transactionId = await trigger()
    const runId = (await following).at(-1)?.runId ?? ''
    expect((await call('POST', `/v1/studio/runs/${runId}/cancel`)).body).toEqual({ canceled: true })
    expect((await call('POST', `/v1/studio/runs/${runId}/cancel`)).body).toEqual({ canceled: false })
    const again = readUntil(
      started,
      '/v1/studio/events',
      ({ jobStatus, runId: other }) => other !== runId && jobStatus === 'delayed',
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    const repeated = await call('POST', `/v1/studio/runs/${runId}/repeat`)
    expect(repeated).toMatchObject({ status: 201, body: { acknowledged: true, status: 'processed' } })
    expect(repeated.body.transactionId).not.toBe(transactionId)
    const second = (await again).at(-1)
    const row = await started.service.store.db
      .selectFrom('runs')
      .select(['payload', 'externalSubscriberId'])
      .where('id', '=', second?.runId ?? '')
      .executeTakeFirst()
    expect(row).toEqual({ payload: '{"a":1}', externalSubscriberId: 'ada' })
    expect((await call('POST', '/v1/studio/runs/nothing/repeat')).status).toBe(404)
    expect((await call('POST', '/v1/studio/runs/nothing/cancel')).status).toBe(404)
  })

  test('clears only the outbox of its own environment', async (context) => {
    const { call, environmentId, addMessage, addSubscriber, service } = await startTestService(driver, context)
    const other = await service.store.db
      .selectFrom('environments')
      .select('id')
      .where('name', '=', 'Production')
      .executeTakeFirstOrThrow()
    const ada = await addSubscriber('ada')
    const put = async (environment: string) => {
      const id = await addMessage(ada, { environmentId: environment, channel: 'email' })
      const row = {
        id,
        environmentId: environment,
        messageId: id,
        runId: id,
        channel: 'email',
        recipient: 'a@b.example',
        content: '{}',
        readAt: null,
        createdAt: 1,
      }
      await service.store.db.insertInto('outbox').values(row).execute()
      return id
    }
    const [own, second, foreign] = [await put(environmentId), await put(environmentId), await put(other.id)]
    expect((await call('GET', `/v1/studio/outbox/${foreign}`)).status).toBe(404)
    expect((await call('DELETE', `/v1/studio/outbox/${foreign}`)).status).toBe(404)
    expect((await call('DELETE', `/v1/studio/outbox/${own}`)).status).toBe(204)
    expect((await call('GET', '/v1/studio/outbox')).body).toMatchObject({ totalCount: 1, data: [{ _id: second }] })
    expect((await call('DELETE', '/v1/studio/outbox')).body).toEqual({ removed: 1 })
    const left = await service.store.db.selectFrom('outbox').select('id').execute()
    expect(left).toEqual([{ id: foreign }])
  })
})

describe('event stream', () => {
  const collect = async (stream: AsyncIterable<string>, count: number): Promise<string[]> => {
    const texts: string[] = []
    for await (const text of stream) {
      texts.push(text)
      if (texts.length === count) break
    }
    return texts
  }

  test('has one block per event, regardless of its data', async () => {
    async function* events() {
      yield { id: '1', event: 'transition', data: { text: 'a\n\ndata: b\r\n' } }
    }
    const [hello, block = ''] = await collect(toEventStream(events()), 9)
    expect(hello).toBe(': connected\n\n')
    expect(block.split('\n\n')).toHaveLength(2)
    expect(block).toBe(`id: 1\nevent: transition\ndata: ${JSON.stringify({ text: 'a\n\ndata: b\r\n' })}\n\n`)
  })

  test('sends comments while idle, loses no event, and ends its source', async () => {
    let isEnded = false
    async function* events() {
      try {
        await new Promise((resolve) => setTimeout(resolve, 55))
        yield { id: '1', event: 'transition', data: 1 }
        await new Promise((resolve) => setTimeout(resolve, 25))
        yield { id: '2', event: 'transition', data: 2 }
      } finally {
        isEnded = true
      }
    }
    const texts = await collect(toEventStream(events(), 20), 99)
    expect(texts.filter((text) => text.startsWith(':')).length).toBeGreaterThanOrEqual(3)
    expect(texts.filter((text) => text.startsWith('id:')).map((text) => text.slice(0, 5))).toEqual(['id: 1', 'id: 2'])
    expect(isEnded).toBe(true)
  })
})
