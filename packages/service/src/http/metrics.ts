import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Queue } from '../queue/queue.ts'

/** The numbers that operators watch. */
export interface Metrics {
  /** Counts an answered request. */
  observe(request: ObservedRequest): void
  /** Returns the numbers in the Prometheus text format. */
  read(): Promise<string>
  /** The content type of that format. */
  readonly contentType: string
}

/** An answered request. */
export interface ObservedRequest {
  /** The name of the operation; `none` where no operation was found. */
  readonly operation: string
  /** The status of the answer. */
  readonly status: number
  /** How long it took, in milliseconds. */
  readonly durationMs: number
}

/**
 * Creates the numbers of one service.
 *
 * @param queue - Whose length is one of them.
 */
export function createMetrics(queue: Pick<Queue, 'size'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'trestle_' })
  const requests = new Counter({
    name: 'trestle_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'trestle_http_request_seconds',
    help: 'Time to answer a request, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'trestle_queue_items',
    help: 'Pieces of work that are not done yet.',
    registers: [registry],
    async collect() {
      // Where the database is away this number alone is missing: the others are what is looked at then.
      this.set(await queue.size().catch(() => Number.NaN))
    },
  })
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    observe({ operation, status, durationMs }) {
      requests.inc({ operation, status })
      seconds.observe({ operation }, durationMs / 1000)
    },
  }
}
