import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { fromStoredTrace, toStoredTrace } from './trace-context.ts'

/** Identifiers are chosen by callers, so they could be of any length. */
const maxValueLength = 255

/** Identifiers, codes and numbers. Never addresses, subscriber ids, payloads or secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | null | undefined>>

/** A span to be created. */
export interface SpanDraft {
  readonly name: string
  /** @default INTERNAL */
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** The context of its parent. @default the active one */
  readonly parent?: Context
  /** Spans that it is related to. @default none */
  readonly links?: readonly Link[]
}

/**
 * Runs work within an active span. If the work rejects, the span has the name of the error, but not its
 * message, which could contain data.
 */
export async function withSpan<T>(draft: SpanDraft, work: (span: Span) => Promise<T>): Promise<T> {
  const span = startSpan(draft)
  try {
    return await context.with(trace.setSpan(draft.parent ?? context.active(), span), work, undefined, span)
  } catch (error) {
    failSpan(error instanceof Error ? error.name : typeof error, span)
    throw error
  } finally {
    span.end()
  }
}

/** Starts a span, which the caller ends. */
export function startSpan({ name, kind = SpanKind.INTERNAL, attributes = {}, parent, links = [] }: SpanDraft): Span {
  // Looked up each time, because an app may register its SDK later. Without an SDK, the span records nothing.
  return trace
    .getTracer('@trestle/service')
    .startSpan(
      name.slice(0, maxValueLength),
      { kind, attributes: toAttributes(attributes), links: [...links] },
      parent ?? context.active(),
    )
}

/**
 * Marks a span as failed.
 *
 * @param code - The cause, such as an error code.
 * @param span - The span. @default the active one
 */
export function failSpan(code: string, span: Span | undefined = trace.getActiveSpan()): void {
  const cause = code.slice(0, maxValueLength)
  span?.setAttribute('error.type', cause).setStatus({ code: SpanStatusCode.ERROR, message: cause })
}

/** What happens to a message of the queue, in the words of the semantic conventions for messaging. */
interface Messaging extends Pick<SpanDraft, 'attributes'> {
  /** The operation, such as `step`. */
  readonly operation: string
  /** What the message is for, such as a workflow. */
  readonly destination: string
}

/**
 * Returns the span of creating a queued message, whose context is stored with it.
 *
 * @param type - `send` if the message is queued alone, `create` if several are queued together.
 */
export function toProducer(type: 'send' | 'create', messaging: Messaging): SpanDraft {
  return { ...toMessaging(type, messaging), kind: SpanKind.PRODUCER }
}

/**
 * Returns the span of processing a queued message. Each queue item is one message, so its parent can be the span that
 * created the message; the conventions also require a link to it.
 *
 * @param stored - The stored context of the message.
 */
export function toConsumer(stored: string | null, messaging: Messaging): SpanDraft {
  const parent = fromStoredTrace(stored)
  return { ...toMessaging('process', messaging), kind: SpanKind.CONSUMER, parent, links: toLinks(parent) }
}

/** Returns the span of a call to another system. */
export function toClient(name: string, attributes: SpanAttributes = {}): SpanDraft {
  return { name, kind: SpanKind.CLIENT, attributes }
}

/** Returns a link to the span of a context; none if it has no span. */
export function toLinks(at: Context): readonly Link[] {
  const span = trace.getSpanContext(at)
  return span ? [{ context: span }] : []
}

/** Returns the context of a span, to be stored; `null` if the span has none. */
export function toStoredSpan(span: Span): string | null {
  return toStoredTrace(trace.setSpan(context.active(), span))
}

function toMessaging(type: string, { operation, destination, attributes = {} }: Messaging): SpanDraft {
  return {
    name: `${operation} ${destination}`,
    attributes: {
      'messaging.system': 'trestle',
      'messaging.operation.type': type,
      'messaging.operation.name': operation,
      'messaging.destination.name': destination,
      ...attributes,
    },
  }
}

function toAttributes(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, typeof value === 'string' ? value.slice(0, maxValueLength) : value]],
    ),
  )
}
