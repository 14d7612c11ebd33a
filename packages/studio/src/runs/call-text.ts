/** The request body of a trigger. */
export interface TriggerBody {
  /** The workflow. */
  readonly name: string
  /** The recipient. */
  readonly to: unknown
  readonly payload: unknown
}

/**
 * Returns a trigger as a shell command.
 *
 * @param apiUrl - The service URL.
 * @param body - The request body.
 */
export function toCurl(apiUrl: string, body: TriggerBody): string {
  // A single quote ends the quoted string and is added in escaped form; then a new quoted string starts.
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return [
    `curl -X POST ${apiUrl}/v1/events/trigger \\`,
    '  -H "Authorization: ApiKey $SERVICE_SECRET_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${quoted}'`,
  ].join('\n')
}

/**
 * Returns a trigger as a program that uses the API client.
 *
 * @param apiUrl - The URL of the service.
 * @param body - The body.
 */
export function toTypeScript(apiUrl: string, body: TriggerBody): string {
  return [
    "import { createApiClient } from '@trestle/api-client'",
    '',
    'const api = createApiClient({',
    "  secretKey: process.env['SERVICE_SECRET_KEY'] ?? '',",
    `  apiUrl: '${apiUrl}',`,
    '})',
    '',
    `await api.events.trigger({ body: ${toLiteral(body, '')} })`,
    '',
  ].join('\n')
}

const plainName = /^[A-Za-z_$][\w$]*$/

/** Formats a JSON value as code: plain names without quotes, strings in single quotes. */
function toLiteral(value: unknown, indent: string): string {
  const deeper = `${indent}  `
  if (typeof value === 'string') return toText(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${deeper}${toLiteral(item, deeper)},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  const lines = entries.map(([name, item]) => {
    const key = name === '__proto__' ? "['__proto__']" : plainName.test(name) ? name : toText(name)
    return `${deeper}${key}: ${toLiteral(item, deeper)},\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function toText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}
