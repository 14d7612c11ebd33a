import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { CallInfo, Hooks, StepReport } from '../bridge/hooks.ts'
import { frameworkVersion } from '../config/version.ts'

const getter = {
  get: (call: CallInfo, name: string): string | undefined => call.header(name),
  keys: (): string[] => [],
}

/**
 * Returns hooks that write a span for each call, as a child of the span that the request's `traceparent` names, and in
 * it one for the step that was run. Attributes hold ids and codes: no payload, no output, no secret.
 *
 * @param tracer - Makes the spans. @default the tracer "@trestle/core" of the registered provider
 * @example
 * serve({ workflows, hooks: openTelemetryHooks() })
 */
export function openTelemetryHooks(tracer: Tracer = trace.getTracer('@trestle/core', frameworkVersion)): Hooks {
  const spans = new WeakMap<CallInfo, Span>()
  return {
    onRequest(call) {
      const parent = propagation.extract(context.active(), call, getter)
      const span = tracer.startSpan(
        `bridge ${call.action ?? ''}`.trimEnd(),
        { kind: SpanKind.SERVER, attributes: toAttributes(call) },
        parent,
      )
      spans.set(call, span)
    },
    onStep(step, call) {
      const span = spans.get(call)
      if (span) writeStep(tracer, span, step)
    },
    onError(error, _report, call) {
      spans.get(call)?.recordException(error instanceof Error ? error : String(error))
    },
    onReply({ status, code }, call) {
      const span = spans.get(call)
      if (!span) return
      span.setAttribute('http.response.status_code', status)
      if (code !== undefined) span.setAttribute('error.type', code)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) })
      span.end()
    },
  }
}

function toAttributes({ action, workflowId, stepId, agentId }: CallInfo): Record<string, string> {
  const known = { action, workflow_id: workflowId, step_id: stepId, agent_id: agentId }
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[`trestle.${name}`, value]])),
  )
}

/** The span of a step ends now, and began when it did. */
function writeStep(tracer: Tracer, parent: Span, { workflowId, stepId, status, code, durationMs }: StepReport): void {
  const endMs = Date.now()
  const attributes = { 'trestle.workflow_id': workflowId, 'trestle.step_id': stepId, 'trestle.step_status': status }
  const inParent = trace.setSpan(context.active(), parent)
  const span = tracer.startSpan(`step ${stepId}`, { startTime: endMs - durationMs, attributes }, inParent)
  if (code !== undefined) span.setAttribute('error.type', code)
  if (status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) })
  span.end(endMs)
}
