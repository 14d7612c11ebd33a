import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, type TestContext, test } from 'vitest'
import { someOf } from '../../../../test/scope.ts'
import { bridgeWorkflow, serveBridge } from '../operations/bridge.fixture.ts'
import { startTestService, testKeys } from './service.fixture.ts'

/** The processor time of decoding, parsing and serializing the largest body, which depends on the machine's memory. */
function measureLargestBody(): number {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(19_000_000) }))
  const before = process.cpuUsage()
  JSON.stringify(JSON.parse(body.toString()))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A body is read once in any case, so no bound can be below that. */
const maxMs = Math.max(250, 2 * measureLargestBody())

/** Uses the processor time of the main thread only, which other busy processes do not affect. */
function threadMs(): number | undefined {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return undefined
  }
}

/** Returns a function that reports the longest block of the event loop. */
function watchEventLoop(): () => number {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let [before, longest] = [threadMs(), 0]
  const timer = setInterval(() => {
    const now = threadMs()
    if (now !== undefined && before !== undefined) longest = Math.max(longest, now - before)
    before = now
  }, 1)
  return () => {
    clearInterval(timer)
    delay.disable()
    return before === undefined ? delay.max / 1e6 : longest
  }
}

/** A service with a workflow in each environment; the second environment is called during the attack. */
async function start(context: TestContext) {
  const { service, call } = await startTestService('sqlite', context)
  const { host, port } = new URL(service.url)
  const production = { key: testKeys.Production }
  const plain = {
    name: 'Plain',
    workflowId: 'plain',
    active: true,
    steps: [{ name: 's', type: 'sms', controlValues: { body: 'x' } }],
  }
  const checked = {
    ...{ ...plain, workflowId: 'checked', validatePayload: true },
    payloadSchema: { type: 'object', properties: { code: { type: 'string', pattern: '^[0-9]{6}$' } } },
  }
  for (const workflow of [plain, checked])
    expect((await call('POST /v2/workflows', workflow, production)).status).toBe(201)
  /** Sends prepared bytes, because preparing them would count too. */
  const send = (path: string, body: Buffer): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      let answer = ''
      socket.on('data', (piece) => {
        answer += piece.toString('latin1').slice(0, 2000)
      })
      socket.on('error', () => resolve(answer))
      socket.on('close', () => resolve(answer))
      socket.write(
        [
          `POST ${path} HTTP/1.1`,
          `host: ${host}`,
          `authorization: ApiKey ${testKeys.Development}`,
          'content-type: application/json',
          `content-length: ${body.length}`,
          'connection: close\r\n\r\n',
        ].join('\r\n'),
      )
      socket.write(body)
    })
  const others = async (): Promise<void> => {
    expect((await call('GET /health', undefined, { key: null })).status).toBe(200)
    for (const name of ['plain', 'checked']) {
      const body = { name, to: 'ada', payload: { code: '123456' } }
      expect(await call('POST /v1/events/trigger', body, production)).toMatchObject({
        status: 201,
        json: { data: { status: 'processed' } },
      })
    }
  }
  /**
   * Calls the second environment before, during and after an attack, and returns the longest block of the event loop.
   */
  const during = async (attack: () => Promise<unknown>): Promise<number> => {
    await others()
    const read = watchEventLoop()
    let isOver = false
    const ended = attack().finally(() => {
      isOver = true
    })
    do await others()
    while (!isOver)
    await ended
    return read()
  }
  return { call, send, during }
}

const ada = { subscriberId: 'ada', email: 'ada@example.com', phone: '+15555550100' }
const trigger = (name: string, payload: object = {}) =>
  Buffer.from(JSON.stringify({ name, to: ada, payload, transactionId: name }))

const patterns = [
  ['that backtracks', { pattern: '^(a+)+$' }, `${'a'.repeat(45)}!`, 2],
  ['that backtracks in names', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(45)}!`]: 1 }, 1],
  ['that is long', { pattern: '^(.*,){30}P' }, '1,'.repeat(30_000), 1],
] as const

test.for(someOf(patterns, 1))(
  'the event loop is not blocked by a pattern %s',
  { timeout: 120_000 },
  async ([, field, value, times], context) => {
    const { call, send, during } = await start(context)
    const created = await call('POST /v2/workflows', {
      ...{ name: 'Slow', workflowId: 'slow', active: true, validatePayload: true, steps: [{ name: 's', type: 'sms' }] },
      payloadSchema: { type: 'object', properties: { a: field } },
    })
    expect(created.status).toBe(201)
    const answers: string[] = []
    const body = trigger('slow', { a: value })
    const longestMs = await during(async () => {
      answers.push(...(await Promise.all(Array.from({ length: times }, () => send('/v1/events/trigger', body)))))
    })
    for (const answer of answers) expect(answer).toContain(' 400 Bad Request')
    expect(answers.join('')).toMatch('takes too much processor time')
    expect(longestMs).toBeLessThan(maxMs)
  },
)

test('the event loop is not blocked by a schema that a bridge sent', async (context) => {
  const { call, send, during } = await start(context)
  const bridge = await serveBridge()
  const sent = { schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } }
  bridge.answer('discover', { status: 200, body: { workflows: [{ ...bridgeWorkflow, payload: sent }] } })
  expect((await call('POST /v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(201)
  expect((await call('PATCH /v2/workflows/welcome', { validatePayload: true })).status).toBe(200)
  let answer = ''
  const longestMs = await during(async () => {
    answer = await send('/v1/events/trigger', trigger('welcome', { a: `${'a'.repeat(45)}!` }))
  })
  expect(answer).toContain(' 400 Bad Request')
  expect(answer).toContain('takes too much processor time')
  expect(longestMs).toBeLessThan(maxMs)
})

test('the event loop is not blocked by the schema for a response', async (context) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ a: `${'a'.repeat(45)}!` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => void server.close())
  const { call, send, during } = await start(context)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const responseBodySchema = { properties: { a: { pattern: '^(a+)+$' } } }
  const controlValues = { method: 'GET', url, responseBodySchema, enforceSchemaValidation: true }
  const step = { name: 'ask', type: 'http_request', controlValues }
  expect(
    (await call('POST /v2/workflows', { name: 'Ask', workflowId: 'ask', active: true, steps: [step] })).status,
  ).toBe(201)
  const longestMs = await during(async () => {
    await send('/v1/events/trigger', trigger('ask'))
    await waitForRun(call, 'ask')
  })
  expect(longestMs).toBeLessThan(maxMs)
})

const templates: readonly (readonly [string, string])[] = [
  ['many tags', '{% assign a=1 %}'.repeat(12_000)],
  ['many lines', `{% liquid\n${'assign a = 1\n'.repeat(15_000)}%}`],
  ['many blocks that do not end', `{{ t.a }}${'{% raw %}'.repeat(20_000)}`],
  ['a long loop', '{% for i in (1..900000) %}{{ i }}{% endfor %}'],
  ['loops in loops', '{% for i in (1..1000) %}{% for j in (1..1000) %}{% assign a = j %}{% endfor %}{% endfor %}'],
  ['many variables', Array.from({ length: 9000 }, (_, index) => `{{ v${index} }}`).join('')],
  ['many filters', `{{ 'a'${" | append: 'b' | reverse".repeat(7_000)} }}`],
  ['brackets', `{{ payload${'["a"]'.repeat(30_000)} }}`],
  ['links', `<a href="{{ payload.a }}">${'<a href='.repeat(20_000)}`],
]

test.for(someOf(templates, 3))(
  'the event loop is not blocked by a template of %s',
  { timeout: 120_000 },
  async ([, body], context) => {
    const { call, send, during } = await start(context)
    const controlValues = { subject: 's', body }
    const steps = [{ name: 'mail', type: 'email', controlValues }]
    expect((await call('POST /v2/workflows', { name: 'Slow', workflowId: 'slow', active: true, steps })).status).toBe(
      201,
    )
    const longestMs = await during(async () => {
      await send('/v1/events/trigger', trigger('slow', { a: 'x' }))
      await waitForRun(call, 'slow')
    })
    expect(longestMs).toBeLessThan(maxMs)
  },
)

test('the event loop is not blocked by a check of controls', { timeout: 120_000 }, async (context) => {
  const { call, send, during } = await start(context)
  const steps = [{ name: 's', type: 'sms', controlValues: { body: 'x' } }]
  await call('POST /v2/workflows', { name: 'Slow', workflowId: 'slow', active: true, steps })
  const controls = { body: 'x', others: Array(50).fill(`{{ a | append: ${'a,'.repeat(24_000)}a }}`) }
  const body = Buffer.from(JSON.stringify({ controls }))
  let answer = ''
  const longestMs = await during(async () => {
    answer = await send('/v1/studio/workflows/slow/steps/s/controls/check', body)
  })
  expect(answer).toContain(' 200 OK')
  expect(longestMs).toBeLessThan(maxMs)
})

/** Each output reads a megabyte many times and prints nothing. */
const costly = `{{ payload.a${' | upcase'.repeat(90)} | strip }}`
const rounds = (inner: string): string =>
  `{% for a in (1..1000) %}{% for b in (1..1000) %}${inner}{% endfor %}{% endfor %}`
/** Each condition reads a long list; only the time limit of the sandbox ends it. */
const slowCondition = rounds('{% if payload.list contains "y" %}{% endif %}')

const costlyTexts = [
  ['conditions in a layout', { layout: `{{{ body }}}${slowCondition}`, text: 'x' }],
  ['filters in a layout', { layout: `{{{ body }}}${costly.repeat(500)}`, text: 'x' }],
  ['filters in a translation', { layout: '{{{ body }}}', text: costly.repeat(20) }],
  ['loops in a layout', { layout: `{{{ body }}}${rounds('{{ payload.a }}')}`, text: 'x' }],
  ['conditions in a translation', { layout: '{{{ body }}}', text: slowCondition }],
] as const

test.for(someOf(costlyTexts, 2))(
  'the event loop is not blocked by %s',
  { timeout: 120_000 },
  async ([, { layout, text }], context) => {
    const { call, send, during } = await start(context)
    const controlValues = { subject: 's', body: '{{ t.text }}'.repeat(500), layoutId: 'frame' }
    const steps = [{ name: 'mail', type: 'email', controlValues }]
    await call('POST /v2/workflows', {
      name: 'Slow',
      workflowId: 'slow',
      active: true,
      steps,
      isTranslationEnabled: true,
    })
    const created = [
      await call('POST /v1/layouts', { identifier: 'frame', name: 'Frame', content: layout }),
      await call('POST /v2/translations', {
        ...{ resourceId: 'slow', resourceType: 'workflow', locale: 'en_US', content: { text } },
      }),
    ]
    for (const { status, json } of created) expect(status, JSON.stringify(json)).toBeLessThan(300)
    const longestMs = await during(async () => {
      await send('/v1/events/trigger', trigger('slow', { a: ' '.repeat(1_000_000), list: Array(20_000).fill('x') }))
      await waitForRun(call, 'slow')
    })
    expect(longestMs).toBeLessThan(maxMs)
  },
)

const list = (item: string, count: number): string => `[${Array(count).fill(item).join(',')}]`
const bodies: readonly (readonly [string, string, string])[] = [
  ['many items', '/v2/subscribers', `{"data":${list('{"subscriberId":null}', 500_000)}}`],
  ['many rows', '/v1/subscribers/bulk', `{"subscribers":${list('{"subscriberId":null,"x":1}', 500_000)}}`],
  ['as many rows as are read', '/v1/subscribers/bulk', `{"subscribers":${list('{"subscriberId":null}', 24_000)}}`],
  [
    'many fields',
    '/v1/events/trigger',
    `{"name":"plain","to":"ada","payload":{${list('"a":1', 1_300_000).slice(1, -1)}}}`,
  ],
  ['as many fields as are read', '/v1/events/trigger', `{${Array.from({ length: 49_000 }, (_, at) => `"k${at}":0`)}}`],
  ['many levels', '/v1/events/trigger', `{"name":"plain","to":"ada","payload":${'['.repeat(9_000_000)}`],
  ['a long text', '/v1/events/trigger', `{"name":"plain","to":"ada","payload":{"a":"${'x'.repeat(19_000_000)}"}}`],
  ['a long text in the wrong place', '/v1/events/trigger', `{"name":"${'x'.repeat(19_000_000)}"}`],
  [
    'long texts in the wrong places',
    '/v1/events/trigger/bulk',
    `{"events":${list(`{"name":{"a":"${'x'.repeat(190_000)}"}}`, 99)}}`,
  ],
  ['escapes', '/v1/events/trigger', `{"name":"${'\\\\'.repeat(9_000_000)}"}`],
]

test('bodies', { timeout: 240_000 }, async (context) => {
  const { send, during } = await start(context)
  const longest: Record<string, number> = {}
  for (const [name, path, text] of someOf(bodies, 4)) {
    const body = Buffer.from(text)
    expect(body.length, name).toBeLessThan(20 * 1024 * 1024)
    longest[name] = await during(async () => {
      expect((await send(path, body)).slice(0, 12), name).toMatch(/^HTTP\/1\.1 [24]/)
    })
  }
  expect(Object.entries(longest).filter(([, ms]) => ms >= maxMs)).toEqual([])
})

type Call = Awaited<ReturnType<typeof start>>['call']

async function waitForRun(call: Call, transactionId: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const { json } = await call(`GET /v1/notifications?transactionId=${transactionId}`)
        const { data } = json as { data: { jobs?: { status: string }[] }[] }
        return data.flatMap(({ jobs = [] }) => jobs.map(({ status }) => status)).join()
      },
      { timeout: 60_000 },
    )
    .toMatch(/completed|failed/)
}
