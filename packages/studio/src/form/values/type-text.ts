import type { JsonSchema } from '../../api/json-schema.ts'
import { followReference, isSchema } from './follow-reference.ts'

const maxDepth = 4
const mostCharacters = 80
/** The maximum number of choices, because nested choices grow quickly. */
const mostSchemas = 200
const rest = '…'

/** A formatted type. */
interface Written {
  readonly text: string
  /** Whether it contains an operator, so that its list type needs parentheses. */
  readonly isJoined?: boolean
}

/** The position of a schema in the traversal. */
interface Place {
  readonly root: JsonSchema
  readonly depth: number
  /** The `$ref`s that were followed to reach it. */
  readonly behind: readonly unknown[]
  /** The remaining number of schemas to visit. */
  readonly budget: { left: number }
}

/**
 * Formats the type of a JSON Schema in TypeScript syntax: `("a" | "b")[]`. A named object schema is represented by its
 * name. Long types are truncated, and deeply nested ones are omitted.
 *
 * @param root - The schema in which references are resolved.
 */
export function typeText(schema: unknown, root: JsonSchema): string {
  return write(schema, { root, depth: 0, behind: [], budget: { left: mostSchemas } }).text
}

function write(given: unknown, place: Place): Written {
  if (given === false) return { text: 'never' }
  if (!isSchema(given)) return { text: 'any' }
  const schema = followReference(given, place.root)
  const name = nameOf(given, schema)
  const { $ref: reference } = given
  if (reference !== undefined && place.behind.includes(reference)) return { text: name ?? rest }
  if (place.depth > maxDepth || place.budget.left-- <= 0) return { text: rest }
  const behind = reference === undefined ? place.behind : [...place.behind, reference]
  const deeper = { ...place, depth: place.depth + 1, behind }
  if (Array.isArray(schema['enum'])) return join(schema['enum'].map(literal), '|')
  if ('const' in schema) return literal(schema['const'])
  const parts = (['oneOf', 'anyOf', 'allOf'] as const).flatMap((key) => {
    const choices = schema[key]
    if (!Array.isArray(choices)) return []
    return [
      join(
        choices.map((choice) => write(choice, deeper)),
        key === 'allOf' ? '&' : '|',
      ),
    ]
  })
  const own = writeOwn(schema, deeper)
  // Alternatives that are objects are shown by their names, so `object` adds nothing.
  const informativeParts = parts.filter(({ text }) => text !== 'any' && text !== own.text)
  if (own.text === 'object' && name !== undefined) return { text: name }
  if (informativeParts.length === 0) return own
  return ['any', 'object'].includes(own.text) ? join(informativeParts, '&') : join([own, ...informativeParts], '&')
}

function writeOwn(schema: JsonSchema, deeper: Place): Written {
  const { type } = schema
  if (Array.isArray(type))
    return join(
      type.map((one) => writeType(String(one), schema, deeper)),
      '|',
    )
  if (typeof type === 'string') return writeType(type, schema, deeper)
  if ('items' in schema || 'prefixItems' in schema) return writeType('array', schema, deeper)
  return { text: 'properties' in schema || 'additionalProperties' in schema ? 'object' : 'any' }
}

function writeType(type: string, { items, prefixItems }: JsonSchema, deeper: Place): Written {
  if (type !== 'array') return { text: type }
  if (Array.isArray(prefixItems)) {
    const first = prefixItems.map((item) => write(item, deeper).text)
    return { text: cut(`[${first.join(', ')}${items === false ? '' : `, ${rest}`}]`) }
  }
  const { text, isJoined = false } = write(items ?? true, deeper)
  return { text: isJoined ? `(${text})[]` : `${text}[]` }
}

/** Joins distinct types, up to a maximum length. */
function join(all: readonly Written[], sign: '|' | '&'): Written {
  const different = all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index)
  const open = different.find(({ text }) => text === 'any')
  if (open && sign === '|') return open
  const parts = different.filter((part) => part !== open)
  const [first = { text: sign === '|' ? 'never' : 'any' }, ...others] = parts
  if (others.length === 0) return first
  let text = bracket(first, sign)
  for (const other of others) {
    const longer = `${text} ${sign} ${bracket(other, sign)}`
    if (longer.length > mostCharacters) return { text: `${text} ${sign} ${rest}`, isJoined: true }
    text = longer
  }
  return { text, isJoined: true }
}

function bracket({ text, isJoined }: Written, sign: '|' | '&'): string {
  return isJoined && sign === '&' ? `(${text})` : text
}

function literal(value: unknown): Written {
  return { text: cut(JSON.stringify(value)) }
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}${rest}` : text
}

/** Returns the title of a schema, or else its name in the definitions. */
function nameOf(given: JsonSchema, { title }: JsonSchema): string | undefined {
  if (typeof title === 'string' && title !== '') return cut(title)
  const reference = given['$ref']
  return typeof reference === 'string' && reference.includes('/') ? cut(reference.split('/').at(-1) ?? '') : undefined
}
