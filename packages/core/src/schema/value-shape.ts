import { findReference, isObject, type JsonObject } from '@trestle/protocol'

/** The types that a schema allows at one path. */
export interface ValueShape {
  /** The allowed JSON types; `undefined` if the schema does not restrict them. */
  readonly types: ReadonlySet<string> | undefined
  /** The defaults declared for the path, as JSON. */
  readonly defaults: ReadonlySet<string>
  /** The shape of a property. */
  property(key: string): ValueShape | undefined
  /** The shape of an item. */
  item(index: number): ValueShape | undefined
}

/** Compiles the types of a JSON Schema, following references and all branches of unions. */
export function compileValueShape(root: JsonObject): ValueShape {
  return toShape([root], root)
}

function toShape(given: readonly unknown[], root: JsonObject): ValueShape {
  const schemas = new Set<JsonObject>()
  for (const schema of given) addBranches(schema, root, schemas)
  const children = new Map<string, ValueShape | undefined>()
  const child = (name: string, pick: (schema: JsonObject) => unknown): ValueShape | undefined => {
    if (!children.has(name)) {
      const childSchemas = [...schemas].map(pick).filter(isObject)
      children.set(name, childSchemas.length > 0 ? toShape(childSchemas, root) : undefined)
    }
    return children.get(name)
  }
  const knownKeys = new Set(
    [...schemas].flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
  )
  return {
    types: typesOf(schemas),
    defaults: defaultsOf(schemas),
    property: (key) =>
      knownKeys.has(key)
        ? child(`.${key}`, ({ properties }) =>
            isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : null,
          )
        : child('*', ({ additionalProperties }) => additionalProperties),
    item: (index) => child(`${Math.min(index, 50)}`, (schema) => itemOf(schema, Math.min(index, 50))),
  }
}

function itemOf({ items, prefixItems }: JsonObject, index: number): unknown {
  const prefix = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  return index < prefix.length ? prefix[index] : items
}

function addBranches(schema: unknown, root: JsonObject, into: Set<JsonObject>): void {
  if (!isObject(schema) || into.has(schema)) return
  into.add(schema)
  if (typeof schema['$ref'] === 'string') addBranches(findReference(root, schema['$ref']), root, into)
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[keyword]
    if (Array.isArray(branches)) for (const branch of branches) addBranches(branch, root, into)
  }
}

function defaultsOf(schemas: ReadonlySet<JsonObject>): ReadonlySet<string> {
  const declared = [...schemas].filter((schema) => schema['default'] !== undefined)
  return new Set(declared.map((schema) => JSON.stringify(schema['default'])))
}

function typesOf(schemas: ReadonlySet<JsonObject>): ReadonlySet<string> | undefined {
  const types = new Set<string>()
  for (const { type, const: constant, enum: values } of schemas) {
    if (type !== undefined) for (const name of Array.isArray(type) ? type : [type]) types.add(String(name))
    else if (Array.isArray(values)) for (const value of values) types.add(typeOf(value))
    else if (constant !== undefined) types.add(typeOf(constant))
  }
  return types.size > 0 ? types : undefined
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
