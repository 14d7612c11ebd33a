import type { JsonSchema } from '../../api/json-schema.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { followReference } from './follow-reference.ts'

const maxDepth = 8
const mostItems = 20

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  duration: 'P1D',
  regex: '.*',
  color: '#336699',
  iri: 'https://example.com/',
  'idn-email': 'ada@example.com',
  'idn-hostname': 'example.com',
  'json-pointer': '/path',
  'relative-json-pointer': '0',
  'uri-template': 'https://example.com/{id}',
}

/** Realistic samples, by the suffix of the field name. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^first_?name$/i, 'Ada'],
  [/^last_?name$/i, 'Lovelace'],
  [/(author|customer|user|full|display|recipient)_?(name)?$/i, 'Ada Lovelace'],
  [/e-?mail$/i, 'ada@example.com'],
  [/phone$/i, '+4915112345678'],
  [/(url|link|href)$/i, 'https://example.com/'],
  [/(^|_)id$|Id$/, '42'],
  [/title$/i, 'A title'],
  [/(text|body|message|comment)$/i, 'Some text.'],
  [/code$/i, '123456'],
]

/**
 * Returns a sample for a JSON Schema: its first example, else its default, its first choice, or a sample of its type.
 * The developer's examples apply to the whole schema; for a field, the default takes precedence. A schema that allows
 * anything has the sample `{}`. A recursive schema is followed once: optional values are omitted, and recursive lists
 * are empty. Never throws.
 *
 * @param root - The schema in which references are resolved. @default the schema itself
 */
export function sampleValue(schema: JsonSchema, root: JsonSchema = schema): unknown {
  const { examples } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  return sample(schema, { root, name: '', depth: 0, above: [] })
}

interface Place {
  readonly root: JsonSchema
  readonly name: string
  readonly depth: number
  /** The enclosing schemas. */
  readonly above: readonly JsonSchema[]
}

function sample(given: unknown, place: Place): unknown {
  const schema = followReference(given, place.root)
  const { examples } = schema
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (place.depth > maxDepth) return null
  const deeper = { ...place, depth: place.depth + 1, above: [...place.above, schema] }
  for (const key of ['oneOf', 'anyOf']) {
    const choices = asList(schema[key])
    const choice = choices.find((one) => !isAgain(one, deeper)) ?? choices[0]
    if (choice !== undefined && !('properties' in schema))
      return sample({ ...schema, [key]: undefined, ...followReference(choice, place.root) }, deeper)
  }
  return sampleOfType(schema, deeper)
}

function sampleOfType(schema: JsonSchema, place: Place): unknown {
  const { type } = schema
  switch (Array.isArray(type) ? type.find((name) => name !== 'null') : type) {
    case 'string':
      return sampleText(schema, place.name)
    case 'integer':
    case 'number':
      return sampleNumber(schema)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return sampleList(schema, place)
    default:
      return sampleObject(schema, place)
  }
}

function sampleList(schema: JsonSchema, place: Place): readonly unknown[] {
  const { items, prefixItems, minItems, maxItems, uniqueItems } = schema
  const item = { ...place, name: singular(place.name) }
  const first = Array.isArray(prefixItems) ? prefixItems.map((part) => sample(part, item)) : []
  if (items === undefined || items === false) return first
  const wanted = typeof minItems === 'number' ? Math.min(minItems, mostItems) : 0
  const least = isAgain(items, place) || first.length > 0 ? 0 : 1
  const most = typeof maxItems === 'number' ? maxItems : mostItems
  const rest = Math.min(Math.max(wanted - first.length, least), most - first.length)
  const choices = followReference(items, place.root)['enum']
  return [
    ...first,
    ...Array.from({ length: Math.max(rest, 0) }, (_, index) =>
      uniqueItems === true && Array.isArray(choices) ? choices[index] : sample(items, item),
    ),
  ]
}

function sampleObject(schema: JsonSchema, place: Place): Readonly<Record<string, unknown>> {
  const parts = [schema, ...asList(schema['allOf']).map((part) => followReference(part, place.root))]
  const properties = parts.flatMap((part) => Object.entries((part['properties'] ?? {}) as Record<string, unknown>))
  const required = new Set(parts.flatMap((part) => asNames(part['required'])))
  const sampledProperties = properties.filter(
    ([name, property]) => required.has(name) || !(isNested(property) || isAgain(property, place)),
  )
  return Object.fromEntries(sampledProperties.map(([name, property]) => [name, sample(property, { ...place, name })]))
}

/** Returns whether a schema, or the items of its list, is one of its enclosing schemas. */
function isAgain(given: unknown, place: Place): boolean {
  const schema = followReference(given, place.root)
  return (
    place.above.includes(schema) ||
    (schema['items'] !== undefined && place.above.includes(followReference(schema['items'], place.root)))
  )
}

function sampleText(schema: JsonSchema, name: string): string {
  const { format, minLength = 0, maxLength } = schema as { format?: string; minLength?: number; maxLength?: number }
  const digits = /^\^\\d\{(\d+)\}\$$/.exec(String(schema['pattern'] ?? ''))?.[1]
  if (digits !== undefined) return '1234567890'.repeat(10).slice(0, Number(digits))
  const text =
    ownEntry(byFormat, format ?? '') ?? byName.find(([pattern]) => pattern.test(name))?.[1] ?? (name || 'text')
  return text.padEnd(Math.min(minLength, 1000), '.').slice(0, maxLength)
}

function sampleNumber(schema: JsonSchema): number {
  const read = (key: string): number | undefined => (typeof schema[key] === 'number' ? schema[key] : undefined)
  const above = read('exclusiveMinimum')
  const lowest = read('minimum') ?? (above === undefined ? undefined : Math.floor(above) + 1)
  const highest = read('maximum') ?? read('exclusiveMaximum')
  const step = read('multipleOf')
  const start = lowest ?? (highest !== undefined && highest < 1 ? Math.floor(highest) : (step ?? 1))
  return step === undefined || step <= 0 ? start : Math.ceil(start / step) * step
}

function isNested(property: unknown): boolean {
  const schema = (typeof property === 'object' && property !== null ? property : {}) as JsonSchema
  const { type } = schema
  return !['const', 'enum'].some((key) => key in schema) && (type === 'object' || type === undefined)
}

function asList(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value)
    ? value.filter((item): item is JsonSchema => typeof item === 'object' && item !== null)
    : []
}

function asNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function singular(name: string): string {
  return name.replace(/s$/, '')
}
