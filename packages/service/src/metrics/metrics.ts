import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ObservedReports } from '../reports/report-intake.ts'
import type { DatabaseState } from './read-state.ts'

/** Metrics for operators. */
export interface Metrics {
  /** Counts a completed request. */
  observe(request: ObservedRequest): void
  /** Counts a bridge call with its attempts. */
  observeBridgeCall(call: ObservedCall): void
  /** Counts a failed attempt of a bridge call that is retried. */
  observeRetry(code: string): void
  /** Counts the outcome of a delivery to a provider. */
  observeMessage(message: ObservedMessage): void
  /** Counts a delivery report of a provider. */
  observeReport(report: ObservedReports): void
  /** Counts a queue item. */
  observeWork(work: ObservedWork): void
  /** Counts dead processes whose work this process resumed. */
  observeTakeover(processes: number): void
  /** Returns the metrics in the Prometheus text format. */
  read(): Promise<string>
  /** The content type of that format. */
  readonly contentType: string
}

export interface ObservedRequest {
  /** The name of the operation; `none` if no operation matched. */
  readonly operation: string
  readonly status: number
  /** The duration, in milliseconds. */
  readonly durationMs: number
}

/** A bridge call. */
export interface ObservedCall {
  /** The status of the response or failure. */
  readonly status: number
  /** The duration including all attempts, in milliseconds. */
  readonly durationMs: number
}

/** A message delivered to its provider. */
export interface ObservedMessage {
  /** The provider; `none` if the message has none. */
  readonly provider: string
  readonly outcome: 'sent' | 'retried' | 'failed'
}

/** A queue item. */
export interface ObservedWork {
  /** The kind of work. */
  readonly kind: string
  /** Whether it is done, or failed and will be retried. */
  readonly outcome: 'done' | 'retried'
  /** The duration, in milliseconds. */
  readonly durationMs: number
}

/** How much of the database state is shown. */
const gauges: Readonly<Record<string, readonly [help: string, read: (state: DatabaseState) => number]>> = {
  trestle_queue_oldest_due_seconds: [
    'Seconds that the oldest queue item has been due without being started; 0 if none is due.',
    ({ oldestDueMs }) => oldestDueMs / 1000,
  ],
  trestle_waits_late: ['Delays and digests that are more than 10 seconds late.', ({ lateWaits }) => lateWaits],
  trestle_oldest_late_wait_seconds: [
    'Seconds since the oldest late delay or digest was due; 0 if none is late.',
    ({ oldestLateWaitMs }) => oldestLateWaitMs / 1000,
  ],
  trestle_processes: ['Live service processes that do work.', ({ processes }) => processes],
  trestle_database_connections_max: [
    'The maximum number of connections of this process to PostgreSQL; 0 for the embedded database.',
    ({ pool }) => pool?.max ?? 0,
  ],
}
const durations = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

/**
 * Creates the metrics of one process.
 *
 * @param readState - Reads the database state for each scrape; rejects if it cannot be read.
 */
export function createMetrics(readState: () => Promise<DatabaseState>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'trestle_' })
  const { counter, histogram } = createInstruments(registry)
  const requests = counter('trestle_http_requests_total', 'Requests answered.', ['operation', 'status'])
  const requestSeconds = histogram('trestle_http_request_seconds', 'Time to answer a request.', ['operation'])
  const bridgeSeconds = histogram('trestle_bridge_call_seconds', 'Duration of a bridge call, with retries.', ['status'])
  const retries = counter('trestle_bridge_retries_total', 'Failed attempts of bridge calls that were retried.', [
    'code',
  ])
  const messages = counter('trestle_messages_total', 'Messages delivered to a provider, by outcome.', [
    'provider',
    'outcome',
  ])
  const reports = counter('trestle_delivery_reports_total', 'Delivery reports from providers, by outcome.', [
    'provider',
    'outcome',
  ])
  const workSeconds = histogram('trestle_work_seconds', 'Processing time of a queue item.', ['kind', 'outcome'])
  const takeovers = counter('trestle_takeovers_total', 'Dead processes whose work this process resumed.', [])
  const showState = addStateGauges(registry)
  return {
    contentType: registry.contentType,
    async read() {
      showState(await readState().catch(() => undefined))
      return registry.metrics()
    },
    observe({ operation, status, durationMs }) {
      requests.inc({ operation, status })
      requestSeconds.observe({ operation }, durationMs / 1000)
    },
    observeBridgeCall: ({ status, durationMs }) => bridgeSeconds.observe({ status }, durationMs / 1000),
    observeRetry: (code) => retries.inc({ code }),
    observeMessage: ({ provider, outcome }) => messages.inc({ provider, outcome }),
    observeReport: ({ provider, outcome }) => reports.inc({ provider, outcome }),
    observeWork: ({ kind, outcome, durationMs }) => workSeconds.observe({ kind, outcome }, durationMs / 1000),
    observeTakeover: (processes) => takeovers.inc(processes),
  }
}

function createInstruments(registry: Registry) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, labelNames: readonly string[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, labelNames: readonly string[]) =>
      new Histogram({ name, help, labelNames, buckets: durations, registers }),
  }
}

/**
 * Returns a function that sets the metrics of the database state. If it cannot be read, these metrics are NaN and the
 * others are still returned, because operators need them most then.
 */
function addStateGauges(registry: Registry): (state: DatabaseState | undefined) => void {
  const registers = [registry]
  const unknown: DatabaseState['items'] = { due: Number.NaN, waiting: Number.NaN, active: Number.NaN }
  const single = Object.entries(gauges).map(([name, [help, read]]) => ({
    gauge: new Gauge({ name, help, registers }),
    read,
  }))
  const [items, connections] = [
    ['trestle_queue_items', 'Unfinished queue items: due, scheduled, or active.'] as const,
    [
      'trestle_database_connections',
      'Connections of this process to PostgreSQL: used or idle; queries waiting for one.',
    ] as const,
  ].map(([name, help]) => new Gauge({ name, help, labelNames: ['state'], registers })) as [Gauge, Gauge]
  const isUp = new Gauge({ name: 'trestle_database_up', help: 'Whether the database answers: 1 or 0.', registers })
  let hasPool = false
  return (state) => {
    isUp.set(state ? 1 : 0)
    for (const [name, count] of Object.entries(state?.items ?? unknown)) items.set({ state: name }, count)
    for (const { gauge, read } of single) gauge.set(state ? read(state) : Number.NaN)
    hasPool ||= state?.pool !== undefined
    if (!hasPool) return
    for (const name of ['used', 'idle', 'waiting'] as const)
      connections.set({ state: name }, state?.pool?.[name] ?? Number.NaN)
  }
}
