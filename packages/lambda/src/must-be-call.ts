/**
 * Rejects events that are not HTTP calls, such as queue messages: a response would acknowledge them, and they would be
 * lost. Other events are allowed, for manual tests and scheduled warm-up.
 *
 * @throws TypeError - The event comes from a queue, a stream, a topic, a bucket or an event bus.
 */
export function mustBeCall(event: object): void {
  const source = sourceOf(event)
  if (source !== undefined)
    throw new TypeError(
      `This function serves a bridge over HTTP, but received an event from ${source}. Remove that trigger, and put the function ` +
        'behind API Gateway, a function URL or a load balancer.',
    )
}

function sourceOf(event: object): string | undefined {
  const {
    Records,
    records,
    eventSource,
    awslogs,
    source,
    'detail-type': kind,
  } = event as Readonly<Record<string, unknown>>
  // A pipe sends its source's records as a list.
  const list = Array.isArray(event) ? event : Records
  if (Array.isArray(list)) return textOr(list[0]?.eventSource ?? list[0]?.EventSource, 'records')
  if (records !== undefined || eventSource !== undefined) return textOr(eventSource, 'records')
  if (awslogs !== undefined) return 'a log'
  if (kind !== undefined && kind !== 'Scheduled Event') return textOr(source, 'an event bus')
  return undefined
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? JSON.stringify(value) : otherwise
}
