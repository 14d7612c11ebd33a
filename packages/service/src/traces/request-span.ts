import { context, SpanKind, trace } from '@opentelemetry/api'
import { failSpan, startSpan } from './spans.ts'
import { readTraceHeaders } from './trace-context.ts'

/** A request, as far as its span needs it. */
export interface TracedRequest {
  readonly method: string
  header(name: string): string | undefined
}

export interface TracedAnswer {
  /** The operation; its span has the route, which contains no identifiers. */
  readonly operation: { readonly name: string; readonly path: string } | undefined
  readonly reply: { readonly status: number }
}

/** The span of a request in progress. */
export interface RequestSpan {
  /** Runs work within the span. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Ends the span. Requests without an operation, such as health checks and files of the studio, have none. */
  end(answer: TracedAnswer): void
}

/**
 * Starts the span of a request. Only apps, which have a secret key, continue their own trace: a browser could otherwise
 * choose the ids, and force spans to be recorded.
 */
export function startRequestSpan({ method, header }: TracedRequest): RequestSpan {
  // An instrumentation of `node:http` has already continued the trace.
  const active = trace.getActiveSpan() ? context.active() : undefined
  const parent = active ?? (hasKey(header('authorization')) ? readHeaders(header) : undefined) ?? context.active()
  const span = startSpan({ name: method, kind: SpanKind.SERVER, attributes: { 'http.request.method': method }, parent })
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end({ operation, reply: { status } }) {
      if (!operation) return
      span.updateName(`${method} ${operation.path}`)
      span.setAttributes({
        'http.route': operation.path,
        'http.response.status_code': status,
        'trestle.operation': operation.name,
      })
      if (status >= 500) failSpan(String(status), span)
      span.end()
    },
  }
}

const hasKey = (authorization: string | undefined): boolean => /^ApiKey /i.test(authorization ?? '')

function readHeaders(header: TracedRequest['header']): ReturnType<typeof readTraceHeaders> {
  const [traceparent, tracestate] = [header('traceparent'), header('tracestate')]
  return readTraceHeaders({ ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) })
}
