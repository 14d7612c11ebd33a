import { isObject, type JsonObject, toPointer } from '@trestle/protocol'
import type { Liquid, Template } from 'liquidjs'

/** A template that reads a field that does not exist. */
export interface UnknownField {
  /** JSON pointer of the value with the template. */
  readonly path: string
  /** The problem, in a sentence. */
  readonly message: string
  /** The line, from 1. */
  readonly line: number
  /** The column, from 1. */
  readonly column: number
}

/**
 * The maximum length of an examined text, and the maximum number of templates in a value. Anything beyond these limits
 * is left to the step.
 */
const maxLength = 50_000
const maxTemplates = 200
/** Fields that templates have in addition to those of a value. */
const extras: ReadonlySet<string> = new Set(['size', 'first', 'last'])
const subscriberFields = [
  'subscriberId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'timezone',
  'data',
]
const subscriber: JsonObject = {
  properties: Object.fromEntries([...subscriberFields, '_id'].map((name) => [name, {}])),
  additionalProperties: false,
}

/** What templates read, and from what. */
export interface FieldSource {
  /** The values, whose texts are templates. */
  readonly controls: JsonObject
  /** JSON Schema of the payload. */
  readonly payloadSchema?: JsonObject | undefined
}

let parser: Promise<Liquid> | undefined

function loadParser(): Promise<Liquid> {
  parser ??= import('liquidjs').then(({ Liquid: Engine }) => new Engine({ templates: {}, parseLimit: maxLength }))
  return parser
}

/**
 * Returns the fields of payload and subscriber that templates read although they never exist. A schema that allows
 * additional properties allows all fields. Templates come from a tenant, so this runs in the sandbox.
 */
export async function findUnknownFields({ controls, payloadSchema }: FieldSource): Promise<readonly UnknownField[]> {
  const texts = [...listTexts(controls)].slice(0, maxTemplates)
  if (texts.length === 0) return []
  const roots: JsonObject = { subscriber, ...(payloadSchema && { payload: payloadSchema }) }
  const liquid = await loadParser()
  return texts.flatMap(([path, text]) => findIn(liquid, text, roots).map((field) => ({ path, ...field })))
}

function* listTexts(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') {
    if (value.includes('{') && value.length <= maxLength) yield [path, value]
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) yield* listTexts(item, path + toPointer([name]))
}

function findIn(liquid: Liquid, text: string, roots: JsonObject): readonly Omit<UnknownField, 'path'>[] {
  const parsed = tryParse(liquid, text)
  if (parsed === undefined) return []
  const { globals } = liquid.analyzeSync(parsed, { partials: false })
  return Object.values(globals)
    .flat()
    .flatMap(({ segments, location: { row, col } }) => {
      const message = findFault(segments, roots)
      return message === undefined ? [] : [{ message, line: row, column: col }]
    })
}

/** A text that cannot be parsed has errors, which the step reports. */
function tryParse(liquid: Liquid, text: string): Template[] | undefined {
  try {
    return liquid.parse(text)
  } catch {
    return undefined
  }
}

function findFault(segments: readonly unknown[], roots: JsonObject): string | undefined {
  const [root, ...names] = segments
  let schema: unknown = typeof root === 'string' && Object.hasOwn(roots, root) ? roots[root] : undefined
  let read = String(root)
  for (const name of names) {
    const fields = closedFields(schema)
    if (typeof name !== 'string' || fields === undefined || extras.has(name)) return undefined
    if (!Object.hasOwn(fields, name)) {
      const knownFields = Object.keys(fields).filter((field) => field !== '_id')
      return `unknown variable "${read}.${name}"; ${read} has ${knownFields.join(', ') || 'no fields'}`
    }
    schema = fields[name]
    read = `${read}.${name}`
  }
  return undefined
}

/** Returns the fields of an object that allows no others; undefined if it allows others. */
function closedFields(schema: unknown): JsonObject | undefined {
  if (!isObject(schema) || schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined)
    return undefined
  return isObject(schema['properties']) ? schema['properties'] : {}
}
