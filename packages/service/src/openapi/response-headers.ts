import type { JsonObject } from '@trestle/protocol'

const text = { type: 'string' } as const

/** Response headers by component name. @source service-api.md#rate-limits, service-api.md#idempotency */
export const headerComponents: JsonObject = {
  'RateLimit-Limit': { description: 'Tokens available in the current window.', schema: text },
  'RateLimit-Remaining': { description: 'Tokens remaining in the window.', schema: text },
  'RateLimit-Reset': { description: 'Seconds until the window resets and the tokens are replenished.', schema: text },
  'RateLimit-Policy': {
    description:
      'The policy applied: <limit>;w=<window_seconds>;burst=<burst>;comment=<algorithm>;category=<category>;cost=<single or bulk>;serviceLevel=<plan>.',
    schema: text,
  },
  'Idempotency-Key': { description: 'The idempotency key of the request, if it applies.', schema: text },
  'Idempotency-Replay': { description: '"true" if the response is the one of an earlier request.', schema: text },
  'Ignored-Input': {
    description: 'Parameters and fields that are unknown to the operation and were ignored because nothing is lost.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: text },
}

const waitStatuses: ReadonlySet<string> = new Set(['409', '429', '503'])
/** Such a request has no parsed URL, so it has no operation. */
const bareStatuses: ReadonlySet<string> = new Set(['414'])

/** Returns the field `headers` of a response. */
export function responseHeaders(status: string): JsonObject {
  if (bareStatuses.has(status)) return {}
  const names = Object.keys(headerComponents).filter((name) => name !== 'Retry-After' || waitStatuses.has(status))
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}
