import { z } from 'zod'
import type { AnyOperation } from '../context/operation.ts'

type Row = Readonly<Record<string, unknown>>

/** The names that things have in both environments. */
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
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
}

/** Returns JSON for a schema, with the values that names have; every optional field is there, too. */
function fillSchema(schema: Schema, names: Readonly<Record<string, string>>, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes(names[name]) ? names[name] : schema.enum[0]
  if (schema.anyOf) return fillSchema(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, names, name)
  const type = [schema.type].flat()[0]
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, item]) => [key, fillSchema(item, names, key)]),
    )
  if (type === 'array') return [fillSchema(schema.items ?? {}, names, name.replace(/s$/, ''))]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  return names[name] ?? 'text'
}

/** Returns a request of an operation whose fields and parameters have the values that names have. */
export function toRequest(
  one: AnyOperation,
  names: Readonly<Record<string, string>>,
): { readonly path: string; readonly body: unknown } {
  const path = one.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const isEndpoint = name === 'identifier' && one.path.includes('endpoints')
    return encodeURIComponent((isEndpoint && names === shared ? 'endpoint' : names[name]) ?? shared[name] ?? 'none')
  })
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const body = one.body && !one.form ? fillSchema(toSchema(one.body), { ...shared, ...names }) : undefined
  const wanted = one.query ? (fillSchema(toSchema(one.query), { ...shared, ...names }) as Row) : {}
  const named = Object.entries(wanted).filter(([name]) => names !== shared && /id$|Id|after/.test(name))
  const query = new URLSearchParams(named.map(([name, value]) => [name, String([value].flat()[0])]))
  return { path: query.size > 0 ? `${path}?${query}` : path, body }
}
