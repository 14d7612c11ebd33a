import { z } from 'zod'
import type { AnyOperation } from '../context/operation.ts'

type Row = Readonly<Record<string, unknown>>

/** Names that exist in both environments. */
export const shared: Readonly<Record<string, string>> = {
  ...{ subscriberId: 'ada', to: 'ada', topicKey: 'news', workflowId: 'order', templateId: 'order', stepId: 'text' },
  ...{
    name: 'order',
    tenantId: 'acme',
    layoutId: 'frame',
    resourceId: 'order',
    resourceType: 'workflow',
    locale: 'en_US',
  },
  ...{ variableKey: 'TOKEN', key: 'TOKEN', providerId: 'slack', integrationIdentifier: 'slack', agentId: 'helper' },
  ...{ type: 'region', id: 'eu', level: 'global', actionType: 'primary', index: '0', blueprintId: 'none' },
  ...{ email: 'x@example.com', url: 'https://example.com/x', webhookUrl: 'https://example.com/x' },
  ...{ bridgeUrl: 'http://127.0.0.1:9/none', snoozeUntil: '2999-01-01T00:00:00.000Z', text: 'hello' },
}

interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
}

interface Values {
  readonly names: Readonly<Record<string, string>>
  readonly defs: Schema['$defs']
}

/** Returns JSON for a schema, with the given values by field name. Includes every optional field. */
function fillSchema(given: Schema, values: Values, name = ''): unknown {
  const { names, defs } = values
  const schema = defs?.[given.$ref?.split('/').at(-1) ?? ''] ?? given
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes(names[name]) ? names[name] : schema.enum[0]
  if (schema.anyOf && !schema.properties)
    return fillSchema(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, values, name)
  const type = [schema.type].flat()[0]
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, item]) => [key, fillSchema(item, values, key)]),
    )
  if (type === 'array') return [fillSchema(schema.items ?? {}, values, name.replace(/s$/, ''))]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  return names[name] ?? 'text'
}

/** Returns a request for an operation, with the given values for fields and parameters by name. */
export function toRequest(
  one: AnyOperation,
  names: Readonly<Record<string, string>>,
): { readonly path: string; readonly body: unknown } {
  const path = one.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'type' && one.path.includes('/actions/')) return 'primary'
    const isEndpoint = name === 'identifier' && one.path.includes('endpoints')
    return encodeURIComponent((isEndpoint && names === shared ? 'endpoint' : names[name]) ?? shared[name] ?? 'none')
  })
  const fill = (given: z.ZodType): unknown => {
    const schema = z.toJSONSchema(given, { io: 'input', unrepresentable: 'any' }) as Schema
    return fillSchema(schema, { names: { ...shared, ...names }, defs: schema.$defs })
  }
  const body = one.body && !one.form ? fill(one.body) : undefined
  const wanted = one.query ? (fill(one.query) as Row) : {}
  const named = Object.entries(wanted).filter(([name]) => names !== shared && /id$|Id|after/.test(name))
  const query = new URLSearchParams(named.map(([name, value]) => [name, String([value].flat()[0])]))
  return { path: query.size > 0 ? `${path}?${query}` : path, body }
}
