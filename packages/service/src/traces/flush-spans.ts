import { setTimeout as sleep } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'

const patienceMs = 2000

interface Flushable {
  forceFlush?(): Promise<void>
}

/** Exports the spans that the SDK still keeps, because the process ends. Waits for up to two seconds. */
export async function flushSpans(): Promise<void> {
  // The provider can be that of another copy of the API, so it has no known class.
  const provider = trace.getTracerProvider() as Flushable & { getDelegate?(): Flushable }
  const sdk = provider.getDelegate?.() ?? provider
  if (!sdk.forceFlush) return
  const timer = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([sdk.forceFlush().catch(() => undefined), late])
  timer.abort()
}
