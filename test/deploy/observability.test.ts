import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { type Service, startService } from '@trestle/service'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repository.ts'

const secretKey = 'sk_of_the_observed_environment'
const stops: (() => void)[] = []
const logged: Readonly<Record<string, unknown>>[] = []
let service: Service
let metrics = ''

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function call(line: string, body: object, authorization = `ApiKey ${secretKey}`): Promise<string> {
  const [method = '', path = ''] = line.split(' ')
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`)
  return text
}

async function readMetrics(): Promise<string> {
  const headers = { authorization: `ApiKey ${secretKey}` }
  return (await fetch(`${service.url}/metrics`, { headers })).text()
}

const order = workflow('order', async ({ step }) => {
  await step.sms('text', () => ({ body: 'On its way' }))
})
const broken = workflow('broken', async ({ step }) => {
  await step.inApp('in', () => {
    throw new Error('no such order')
  })
})

// A bridge that closes two connections and then responds, one that always fails, and a provider that rejects each
// message.
beforeAll(async () => {
  const bridge = toNodeHandler(
    createBridge({ secretKey, workflows: [order, broken], logger: { warn: () => undefined, error: () => undefined } }),
  )
  let failures = 0
  const bridgeUrl = await serve((request, response) => {
    if (failures === 0) return void bridge(request, response)
    failures--
    response.destroy()
  })
  const provider = await serve((_request, response) => response.writeHead(400).end('{"message":"secret of +491"}'))
  service = await startService({
    ...{ port: 0, databaseUrl: '', databaseFile: ':memory:', encryptionKey: Buffer.alloc(32, 3).toString('base64') },
    ...{ secretKeys: { Development: secretKey }, stopGraceMs: 500, logLevel: 'info' },
    log: { write: (line) => void logged.push(JSON.parse(line)) },
  })
  await call('POST /v1/integrations', {
    ...{ providerId: 'generic-sms', channel: 'sms', name: 'SMS', active: true, check: false },
    credentials: { baseUrl: provider, from: 'me' },
  })
  const webhookKey = 'a-long-password-of-a-webhook'
  const postmark = await call('POST /v1/integrations', {
    ...{ providerId: 'postmark', channel: 'email', identifier: 'postmark', active: true, check: false },
    credentials: { apiKey: 'x', from: 'shop@example.com', baseUrl: provider, webhookKey },
  })
  await call(
    `POST /v1/integrations/${JSON.parse(postmark).data._id}/reports`,
    { RecordType: 'Open', MessageID: 'unknown', FirstOpen: true, ReceivedAt: '2026-01-01T12:00:00Z' },
    `Basic ${Buffer.from(`trestle:${webhookKey}`).toString('base64')}`,
  )
  await call('POST /v1/bridge/sync', { bridgeUrl })
  // A call on an idle connection that turns out to be closed is resent on a new one, which does not count as a retry.
  failures = 2
  await call('POST /v1/events/trigger', { name: 'order', to: { subscriberId: 'ada', phone: '+491' }, payload: {} })
  await call('POST /v1/events/trigger', { name: 'broken', to: 'ada', payload: {} })
  await vi.waitFor(
    async () => {
      metrics = await readMetrics()
      expect(metrics).toMatch(/trestle_messages_total\{provider="generic-sms",outcome="failed"\} 1/)
      expect(metrics).toMatch(/trestle_bridge_call_seconds_count\{status="502"\} 1/)
      expect(metrics).toContain('trestle_queue_items{state="active"} 0')
      expect(metrics).toContain('trestle_processes 1')
    },
    { timeout: 30_000, interval: 500 },
  )
}, 60_000)
afterAll(async () => {
  await service.stop()
  for (const stop of stops) stop()
})

test('/metrics counts calls, retries, rejected messages and work', () => {
  expect(metrics).toMatch(/trestle_bridge_retries_total\{code="ECONNRESET"\} 1/)
  expect(metrics).toMatch(/trestle_bridge_call_seconds_count\{status="200"\} [1-9]/)
  expect(metrics).toMatch(/trestle_work_seconds_count\{kind="trigger",outcome="done"\} 2/)
  for (const line of [
    'trestle_queue_oldest_due_seconds 0',
    'trestle_waits_late 0',
    'trestle_takeovers_total 0',
    'trestle_database_up 1',
  ])
    expect(metrics).toContain(line)
})

test('the log contains retries and dropped messages with their cause, and no provider output', () => {
  const find = (text: string) => logged.find(({ msg }) => msg === text)
  expect(find('a bridge call failed and is retried')).toMatchObject({
    workflowId: 'order',
    code: 'ECONNRESET',
    waitMs: expect.any(Number),
  })
  expect(find('a bridge call failed')).toMatchObject({
    workflowId: 'broken',
    status: 502,
    code: 'StepExecutionFailedError',
  })
  expect(find('a provider failed: the message is dropped')).toMatchObject({
    provider: 'generic-sms',
    code: expect.any(String),
  })
  expect(JSON.stringify(logged)).not.toContain('+491')
})

interface Query {
  readonly place: string
  readonly expression: string
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

function dashboardQueries(): readonly Query[] {
  const { panels } = JSON.parse(read('deploy/grafana/trestle.json'))
  return panels.flatMap(({ title, targets = [] }: { title: string; targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => ({ place: `panel ${title}`, expression: expr.replaceAll('$__rate_interval', '5m') })),
  )
}

function alertQueries(): readonly Query[] {
  const { groups } = parse(read('deploy/prometheus/alerts.yaml'))
  return groups.flatMap(({ rules }: { rules: { alert: string; expr: string }[] }) =>
    rules.map(({ alert, expr }) => ({ place: `alert ${alert}`, expression: expr })),
  )
}

/** The metrics and labels in a query; `!` for invalid PromQL. */
function readQuery(text: string): { readonly names: readonly string[]; readonly labels: readonly string[] } {
  const [names, labels]: [string[], string[]] = [[], []]
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      const part = text.slice(from, to)
      if (type.isError) names.push(`! ${text}`)
      if (type.name === 'Identifier' && part.startsWith('trestle')) names.push(part)
      if (type.name === 'LabelName') labels.push(part)
    },
  })
  return { names, labels }
}

/** Each exported name with its labels; histograms have three names. */
function readExported(): ReadonlyMap<string, ReadonlySet<string>> {
  const exported = new Map<string, Set<string>>()
  for (const [, name = '', type] of metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const ending of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      exported.set(name + ending, new Set())
  for (const [, name = '', labels = ''] of metrics.matchAll(/^(\w+)\{([^}]*)\} /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exported.get(name)?.add(label)
  return exported
}

describe('the dashboard and the alert rules', () => {
  /** Labels that Prometheus adds to every metric. */
  const added = ['job', 'instance']
  /** The embedded database has no connections, so it has no metrics for them. */
  const onPostgres = { trestle_database_connections: ['state'] } as Readonly<Record<string, readonly string[]>>
  const faultsOf = (queries: readonly Query[]): readonly string[] => {
    const exported = readExported()
    return queries.flatMap(({ place, expression }) => {
      const { names, labels } = readQuery(expression)
      const knownLabels = [
        ...added,
        ...names.flatMap((name) => [...(exported.get(name) ?? []), ...(onPostgres[name] ?? [])]),
      ]
      return [
        ...(names.length === 0 ? [`${place} reads nothing`] : []),
        ...names.filter((name) => !exported.has(name)).map((name) => `${place}: ${name} is not exported`),
        ...labels
          .filter((label) => !knownLabels.includes(label))
          .map((label) => `${place}: no metric has the label ${label}`),
      ]
    })
  }

  test('use only exported metrics and labels', () => {
    expect(dashboardQueries().length).toBeGreaterThan(15)
    expect(alertQueries().length).toBeGreaterThan(8)
    expect(faultsOf([...dashboardQueries(), ...alertQueries()])).toEqual([])
  })

  test('show each metric of the service except process metrics', () => {
    const read = new Set(
      [...dashboardQueries(), ...alertQueries()].flatMap(({ expression }) => readQuery(expression).names),
    )
    const bases = [...metrics.matchAll(/^# TYPE (trestle_\w+) /gm)].map(([, name = '']) => name)
    const own = bases.filter((name) => !/^trestle_(process|nodejs)_/.test(name))
    expect(own.filter((name) => ![...read].some((one) => one.startsWith(name)))).toEqual([])
  })

  test.each([
    ['trestle_queue_item', 'trestle_queue_item is not exported'],
    ['sum(rate(trestle_work_seconds[5m]))', 'trestle_work_seconds is not exported'],
    ['sum by (kindd) (trestle_queue_items)', 'no metric has the label kindd'],
    ['trestle_queue_items{outcome="x"}', 'no metric has the label outcome'],
    ['sum(trestle_processes', '! sum(trestle_processes is not exported'],
    ['1', 'reads nothing'],
  ])('are rejected if they contain %s', (expression, fault) => {
    expect(faultsOf([{ place: 'p', expression }]).join()).toContain(fault)
  })
})
