import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DatabaseState } from './read-state.ts'

/** The numbers that operators watch. */
export interface Metrics {
  /** Counts an answered request. */
  observe(request: ObservedRequest): void
  /** Counts a call of a bridge with its attempts. */
  observeBridgeCall(call: ObservedCall): void
  /** Counts an attempt of a call of a bridge that failed and is repeated. */
  observeRetry(code: string): void
  /** Counts what became of a message that was handed to its provider. */
  observeMessage(message: ObservedMessage): void
  /** Counts a piece of work. */
  observeWork(work: ObservedWork): void
  /** Counts processes whose work this one has taken over. */
  observeTakeover(processes: number): void
  /** Returns the numbers in the Prometheus text format. */
  read(): Promise<string>
  /** The content type of that format. */
  readonly contentType: string
}

/** An answered request. */
export interface ObservedRequest {
  /** The name of the operation; `none` if no operation was found. */
  readonly operation: string
  /** The status of the answer. */
  readonly status: number
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/** A call of a bridge. */
export interface ObservedCall {
  /** The status of the answer, or of the failure. */
  readonly status: number
  /** How long it took with all attempts, in milliseconds. */
  readonly durationMs: number
}

/** A message that was handed to its provider. */
export interface ObservedMessage {
  /** The provider; `none` if the message had none. */
  readonly provider: string
  /** What became of it. */
  readonly outcome: 'sent' | 'retried' | 'failed'
}

/** A piece of work from the queue. */
export interface ObservedWork {
  /** The kind of work. */
  readonly kind: string
  /** Whether it is done, or failed and will be done again. */
  readonly outcome: 'done' | 'retried'
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/** How much of the state of the database is shown. */
const gauges: Readonly<Record<string, readonly [help: string, read: (state: DatabaseState) => number]>> = {
  trestle_queue_oldest_due_seconds: [
    'How long the oldest piece of work has been due without being taken; 0 if none is due.',
    ({ oldestDueMs }) => oldestDueMs / 1000,
  ],
  trestle_waits_late: ['Delays and digests whose time passed more than 10 seconds ago.', ({ lateWaits }) => lateWaits],
  trestle_oldest_late_wait_seconds: [
    'How long ago the time of the oldest late delay or digest passed; 0 if none is late.',
    ({ oldestLateWaitMs }) => oldestLateWaitMs / 1000,
  ],
  trestle_processes: ['Live service processes that take work.', ({ processes }) => processes],
  trestle_database_connections_max: [
    'The most connections that this process opens to PostgreSQL; 0 for the embedded database.',
    ({ pool }) => pool?.max ?? 0,
  ],
}
const durations = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

/**
 * Creates the numbers of one process.
 *
 * @param readState - Reads what the database says at each look; rejects if it cannot be read.
 */
export function createMetrics(readState: () => Promise<DatabaseState>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'trestle_' })
  const { counter, histogram } = createInstruments(registry)
  const requests = counter('trestle_http_requests_total', 'Requests answered.', ['operation', 'status'])
  const requestSeconds = histogram('trestle_http_request_seconds', 'Time to answer a request.', ['operation'])
  const bridgeSeconds = histogram('trestle_bridge_call_seconds', 'Time of a call of a bridge, with retries.', [
    'status',
  ])
  const retries = counter('trestle_bridge_retries_total', 'Attempts of bridge calls that failed and were repeated.', [
    'code',
  ])
  const messages = counter('trestle_messages_total', 'Messages handed to a provider.', ['provider', 'outcome'])
  const workSeconds = histogram('trestle_work_seconds', 'Time of a piece of work from the queue.', ['kind', 'outcome'])
  const takeovers = counter('trestle_takeovers_total', 'Dead processes whose work this process took over.', [])
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
 * Returns what sets the numbers of the database's state. If it cannot be read they are not a number, and the others are still
 * shown: those are what an operator needs then.
 */
function addStateGauges(registry: Registry): (state: DatabaseState | undefined) => void {
  const registers = [registry]
  const unknown: DatabaseState['items'] = { due: Number.NaN, waiting: Number.NaN, active: Number.NaN }
  const single = Object.entries(gauges).map(([name, [help, read]]) => ({
    gauge: new Gauge({ name, help, registers }),
    read,
  }))
  const [items, connections] = [
    ['trestle_queue_items', 'Pieces of work that are not done: due, waiting for their time, or active.'] as const,
    [
      'trestle_database_connections',
      'Connections of this process to PostgreSQL: used or idle; queries waiting for one.',
    ] as const,
  ].map(([name, help]) => new Gauge({ name, help, labelNames: ['state'], registers })) as [Gauge, Gauge]
  const isUp = new Gauge({ name: 'trestle_database_up', help: 'Whether the database answers: 1 or 0.', registers })
  return (state) => {
    isUp.set(state ? 1 : 0)
    for (const [name, count] of Object.entries(state?.items ?? unknown)) items.set({ state: name }, count)
    for (const { gauge, read } of single) gauge.set(state ? read(state) : Number.NaN)
    if (!state?.pool) return
    for (const name of ['used', 'idle', 'waiting'] as const) connections.set({ state: name }, state.pool[name])
  }
}
