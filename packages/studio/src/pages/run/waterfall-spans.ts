import type { WholeRun, WholeStep } from '../../api/generated/resources.ts'

/** A step's activity during a span. */
export type SpanKind = 'queue' | 'call' | 'retry' | 'send' | 'wait'

/** A time span of a step, in milliseconds since 1970. */
export interface Span {
  /** The activity. */
  readonly kind: SpanKind
  /** When it starts. */
  readonly startMs: number
  /** When it ends; for a wait in progress, when it is due. */
  readonly endMs: number
  /** Whether a call failed. */
  readonly isBad?: boolean
}

/** A step with its spans. */
export interface StepSpans {
  readonly step: WholeStep
  /** The step's spans, in order. */
  readonly spans: readonly Span[]
}

const parse = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text))

/**
 * Returns the spans of each step of a run: waiting for a worker, one or more bridge calls with the time between them,
 * then sending the message or waiting.
 */
export function toSpans(run: WholeRun, nowMs: number): readonly StepSpans[] {
  const ends = new Map<number, number>()
  for (const { wave, endedAt } of run.steps) ends.set(wave, Math.max(ends.get(wave) ?? 0, parse(endedAt) ?? nowMs))
  return run.steps.map((step) => ({ step, spans: spansOf(run, step, { nowMs, readyMs: readyOf(run, step, ends) }) }))
}

/** A step can start when the previous wave has ended. */
function readyOf(run: WholeRun, { wave, createdAt }: WholeStep, ends: ReadonlyMap<number, number>): number {
  return Math.max(Date.parse(createdAt ?? run.createdAt), ends.get(wave - 1) ?? Date.parse(run.createdAt))
}

interface Times {
  readonly nowMs: number
  readonly readyMs: number
}

function spansOf(run: WholeRun, step: WholeStep, { nowMs, readyMs }: Times): readonly Span[] {
  const calls = run.calls
    .filter(({ _jobId }) => _jobId === step._id)
    .map(({ createdAt, durationMs, status }): Span => {
      const startMs = Date.parse(createdAt)
      return { kind: 'call', startMs, endMs: startMs + durationMs, isBad: status === null || status >= 400 }
    })
  const startMs = calls[0]?.startMs ?? parse(step.calledAt)
  if (startMs === undefined) return []
  const spans: Span[] = startMs > readyMs ? [{ kind: 'queue', startMs: readyMs, endMs: startMs }] : []
  for (const [index, call] of calls.entries()) {
    const previous = calls[index - 1]
    if (previous && call.startMs > previous.endMs)
      spans.push({ kind: 'retry', startMs: previous.endMs, endMs: call.startMs })
    spans.push(call)
  }
  const calledMs = calls.at(-1)?.endMs ?? startMs
  const dueMs = parse(step.dueAt)
  // An earlier time is the end of the wait before the last attempt.
  const hasDueTime = dueMs !== undefined && dueMs > (calls.at(-1)?.startMs ?? startMs)
  const endMs = parse(step.endedAt) ?? (hasDueTime ? dueMs : nowMs)
  const isWait = hasDueTime || step.type === 'trigger'
  const kind = step.stage === 'retrying' ? 'retry' : isWait ? 'wait' : 'send'
  if (endMs > calledMs) spans.push({ kind, startMs: calledMs, endMs })
  return spans
}

/** The scale of the time axis. */
export interface Scale {
  /** Returns the position of a time, from 0 to 1. */
  place(ms: number): number
  /** Shortened waits, by center and length. */
  readonly cuts: readonly { readonly at: number; readonly ms: number }[]
}

/**
 * Returns the scale of the time axis. Periods in which a run only waits are drawn at most half as long as all other
 * periods, so that an hour's delay does not hide the milliseconds around it.
 */
export function toScale(steps: readonly StepSpans[]): Scale {
  const spans = steps.flatMap((step) => step.spans)
  const points = [...new Set(spans.flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort((a, b) => a - b)
  const busy = spans.filter(({ kind }) => kind !== 'wait' && kind !== 'retry')
  const parts = points.slice(1).map((endMs, index) => {
    const startMs = points[index] ?? endMs
    const isBusy = busy.some((span) => span.startMs < endMs && span.endMs > startMs)
    return { startMs, endMs, isBusy }
  })
  const busyMs = parts.filter(({ isBusy }) => isBusy).reduce((sum, part) => sum + part.endMs - part.startMs, 0)
  const most = busyMs === 0 ? Number.POSITIVE_INFINITY : busyMs / 2
  const places = new Map<number, number>([[points[0] ?? 0, 0]])
  const cuts: { at: number; ms: number }[] = []
  let total = 0
  for (const { startMs, endMs, isBusy } of parts) {
    const ms = endMs - startMs
    const drawn = isBusy ? ms : Math.min(ms, most)
    if (drawn < ms) cuts.push({ at: total + drawn / 2, ms })
    total += drawn
    places.set(endMs, total)
  }
  const whole = total || 1
  return {
    place: (ms) => (places.get(ms) ?? 0) / whole,
    cuts: cuts.map(({ at, ms }) => ({ at: at / whole, ms })),
  }
}
