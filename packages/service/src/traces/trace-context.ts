import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import type { TraceHeaders } from '@trestle/bridge-client'

/** The specification lets longer lists be shortened; a vendor that needs one can use fewer entries. */
const maxStateLength = 512
const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Returns the headers that continue the trace of a context; `undefined` if it has no span. They are the W3C headers
 * whichever propagators the SDK uses, and contain no baggage.
 *
 * @param at - The context. @default the active one
 */
export function toTraceHeaders(at: Context = context.active()): TraceHeaders | undefined {
  const span = trace.getSpanContext(at)
  if (!span || !isSpanContextValid(span)) return undefined
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0')
  const state = span.traceState?.serialize() ?? ''
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(state !== '' && state.length <= maxStateLength && { tracestate: state }),
  }
}

/**
 * Returns the context of a caller's span; `undefined` if the headers are missing or invalid.
 *
 * @param headers - The headers `traceparent` and `tracestate`, as received.
 */
export function readTraceHeaders(headers: Partial<TraceHeaders>): Context | undefined {
  const { traceparent = '', tracestate = '' } = headers
  const [, version, traceId = '', spanId = '', flags = '', rest] = parentPattern.exec(traceparent) ?? []
  // Later versions may append fields; version 00 has none, and ff is reserved.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  const span: SpanContext = {
    ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true },
    ...(tracestate !== '' && tracestate.length <= maxStateLength && { traceState: createTraceState(tracestate) }),
  }
  return isSpanContextValid(span) ? trace.setSpanContext(ROOT_CONTEXT, span) : undefined
}

/**
 * Returns a context as one column of text, of at most 568 characters; `null` if it has no span.
 *
 * @param at - The context. @default the active one
 */
export function toStoredTrace(at?: Context): string | null {
  const headers = toTraceHeaders(at)
  return headers ? [headers.traceparent, headers.tracestate ?? ''].join(' ').trimEnd() : null
}

/**
 * Returns a stored context; without a span if none was stored, or if the text is invalid.
 *
 * @param text - The result of {@link toStoredTrace}.
 */
export function fromStoredTrace(text: string | null): Context {
  const [traceparent = '', ...states] = (text ?? '').split(' ')
  return readTraceHeaders({ traceparent, tracestate: states.join(' ') }) ?? ROOT_CONTEXT
}
