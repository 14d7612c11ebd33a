import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { isAction } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import type { CallInfo, Hooks, StepReport } from '../bridge/hooks.ts'
import { frameworkVersion } from '../config/version.ts'

const getter = {
  get: (call: CallInfo, name: string): string | undefined => call.header(name),
  keys: (): string[] => [],
}

// Hooks run before the signature is verified, so anyone could send names and values of any length.
const maxValueLength = 255

/**
 * Returns hooks that create a span for each call, as a child of the request's `traceparent`, with a child span for the
 * executed step and one for late failures, such as the turn of an agent. Attributes contain ids and codes of at most
 * 255 characters. Errors are recorded by message only: no stack, payload, output or secret.
 *
 * @param tracer - Creates the spans. @default the tracer "@trestle/core" of the registered provider
 * @example
 * serve({ workflows, hooks: openTelemetryHooks() })
 */
export function openTelemetryHooks(tracer: Tracer = trace.getTracer('@trestle/core', frameworkVersion)): Hooks {
  const spans = new WeakMap<CallInfo, Span>()
  const answered = new WeakSet<Span>()
  return {
    onRequest(call) {
      const parent = propagation.extract(context.active(), call, getter)
      const span = tracer.startSpan(
        isAction(call.action) ? `bridge ${call.action}` : 'bridge',
        { kind: SpanKind.SERVER, attributes: toAttributes(call) },
        parent,
      )
      spans.set(call, span)
    },
    onStep(step, call) {
      const span = spans.get(call)
      if (span) writeStep(tracer, span, step)
    },
    onError(error, { agentId }, call) {
      const span = spans.get(call)
      if (!span) return
      if (agentId === undefined && !answered.has(span)) recordThrown(span, error)
      else writeLate(tracer, span, { agentId, error })
    },
    onReply({ status, code }, call) {
      const span = spans.get(call)
      if (!span) return
      span.setAttribute('http.response.status_code', status)
      if (code !== undefined) span.setAttribute('error.type', code)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) })
      span.end()
      answered.add(span)
    },
  }
}

function toAttributes({ action, workflowId, stepId, agentId }: CallInfo): Record<string, string> {
  const fields = { action, workflow_id: workflowId, step_id: stepId, agent_id: agentId }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[`trestle.${name}`, value.slice(0, maxValueLength)]],
    ),
  )
}

/** Starts a separate span for a late failure, because the call's span has already ended when an agent's turn fails. */
function writeLate(
  tracer: Tracer,
  call: Span,
  { agentId, error }: { readonly agentId: string | undefined; readonly error: unknown },
): void {
  const attributes = agentId === undefined ? {} : { 'trestle.agent_id': agentId }
  const name = agentId === undefined ? 'late failure' : `turn ${agentId}`
  const span = tracer.startSpan(name, { attributes }, trace.setSpan(context.active(), call))
  recordThrown(span, error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Omits the stack, which reveals details of the machine, and the fields of objects without a message, which may contain
 * data. Handles values that cannot be converted to a string.
 */
function recordThrown(span: Span, error: unknown): void {
  const isObject = typeof error === 'object' && error !== null
  const name = isObject ? readField(error, 'name') : typeof error
  const isTold = !isObject || readField(error, 'message') !== undefined
  span.recordException({
    name: name?.slice(0, maxValueLength) ?? 'object',
    message: isTold ? toThrown(error).message : 'An object without a message was thrown.',
  })
}

function readField(error: object, field: 'name' | 'message'): string | undefined {
  try {
    const text: unknown = Reflect.get(error, field)
    return typeof text === 'string' && text !== '' ? text : undefined
  } catch {
    return undefined
  }
}

/** Creates the span of a step, with the step's own start and end time. */
function writeStep(tracer: Tracer, parent: Span, { workflowId, stepId, status, code, durationMs }: StepReport): void {
  const endMs = Date.now()
  const attributes = { 'trestle.workflow_id': workflowId, 'trestle.step_id': stepId, 'trestle.step_status': status }
  const inParent = trace.setSpan(context.active(), parent)
  const span = tracer.startSpan(`step ${stepId}`, { startTime: endMs - durationMs, attributes }, inParent)
  if (code !== undefined) span.setAttribute('error.type', code)
  if (status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) })
  span.end(endMs)
}
