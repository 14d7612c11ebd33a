import { findReference, isObject, type JsonObject, setOwn } from '@trestle/protocol'

/** Returns a value with its defaults filled in; the value itself if nothing was missing. The input is not modified. */
export type Filler = (value: unknown) => unknown

/** Which defaults to fill in. */
export interface FillOptions {
  /** Returns whether to use a default, after its own defaults were filled in. @default every default is used */
  readonly wants?: (value: unknown) => boolean
}

/**
 * Compiles the defaults of a JSON Schema: of properties, items, `allOf` and references. Defaults inside `anyOf`,
 * `oneOf`, `not` and conditions are not filled in, because it is unknown which branch matches.
 *
 * @param schema - A valid JSON Schema.
 * @returns The filler; `undefined` if there are no defaults.
 */
export function compileDefaults(schema: unknown, options: FillOptions = {}): Filler | undefined {
  const wants = options.wants ?? (() => true)
  return compileNode(schema, { root: schema, wants, references: new Map() })
}

interface FillContext {
  readonly root: unknown
  readonly wants: (value: unknown) => boolean
  readonly references: Map<string, Filler>
}

function compileNode(schema: unknown, context: FillContext): Filler | undefined {
  if (!isObject(schema)) return undefined
  const fillers = [
    compileProperties(schema, context),
    compileItems(schema, context),
    compileReference(schema['$ref'], context),
    ...(Array.isArray(schema['allOf']) ? schema['allOf'].map((sub) => compileNode(sub, context)) : []),
  ].filter((filler) => filler !== undefined)
  const own = schema['default']
  if (fillers.length === 0 && own === undefined) return undefined
  const fillInside: Filler = (value) => fillers.reduce((filled, fill) => fill(filled), value)
  return (value) => {
    if (value !== undefined || own === undefined) return fillInside(value)
    const filled = fillInside(copyJson(own))
    return context.wants(filled) ? filled : undefined
  }
}

function compileProperties(schema: JsonObject, context: FillContext): Filler | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const fillers = Object.keys(properties).flatMap((key): [string, Filler][] => {
    const fill = compileNode(properties[key], context)
    return fill ? [[key, fill]] : []
  })
  const fillOther = compileNode(schema['additionalProperties'], context)
  if (fillers.length === 0 && !fillOther) return undefined
  return (value) => {
    if (!isObject(value)) return value
    let copy: JsonObject | undefined
    const fillKey = (key: string, fill: Filler): void => {
      const before = Object.hasOwn(value, key) ? value[key] : undefined
      const after = fill(before)
      if (after === before) return
      copy ??= { ...value }
      setOwn(copy, key, after)
    }
    for (const [key, fill] of fillers) fillKey(key, fill)
    if (fillOther) for (const key of Object.keys(value)) if (!Object.hasOwn(properties, key)) fillKey(key, fillOther)
    return copy ?? value
  }
}

function compileItems(schema: JsonObject, context: FillContext): Filler | undefined {
  const { items, prefixItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const prefix = first.map((sub) => compileNode(sub, context))
  const rest = Array.isArray(items) ? undefined : compileNode(items, context)
  if (!rest && prefix.every((fill) => fill === undefined)) return undefined
  return (value) => {
    if (!Array.isArray(value)) return value
    const filled = value.map((item, index) => (index < prefix.length ? prefix[index] : rest)?.(item) ?? item)
    return filled.every((item, index) => item === value[index]) ? value : filled
  }
}

function compileReference(reference: unknown, context: FillContext): Filler | undefined {
  if (typeof reference !== 'string') return undefined
  const cachedFiller = context.references.get(reference)
  if (cachedFiller) return cachedFiller
  let fill: Filler | undefined
  let isAdding = false
  const link: Filler = (value) => {
    if (!fill || (value === undefined && isAdding)) return value
    const before = isAdding
    // A default that contains its own schema is added once, not inside itself.
    isAdding ||= value === undefined
    try {
      return fill(value)
    } finally {
      isAdding = before
    }
  }
  context.references.set(reference, link)
  fill = compileNode(findReference(context.root, reference), context)
  return fill && link
}

function copyJson(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}
