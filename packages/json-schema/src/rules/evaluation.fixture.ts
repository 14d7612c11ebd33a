import { findReference, isObject, type JsonObject } from '@trestle/protocol'
import { hasUniqueItems } from './json-key.ts'

type Keys = ReadonlySet<string | number>
type Collect = (schema: unknown, part?: unknown) => Keys | undefined

/**
 * Checks a value by reading the schema at each step, as the specification words it; supports the keywords that combine
 * schemas, and few others.
 *
 * @returns The keys and indexes that the schema evaluates; undefined if it rejects the value.
 */
export function evaluateBySpecification(schema: unknown, value: unknown, root: unknown): Keys | undefined {
  if (!isObject(schema)) return schema === false ? undefined : new Set()
  const collect: Collect = (inner, part = value) => evaluateBySpecification(inner, part, root)
  const results = [
    ...inPlace(schema, value, { collect, root }),
    isObject(value) ? ofObject(schema, value, collect) : new Set<string>(),
    Array.isArray(value) ? ofList(schema, value, collect) : new Set<number>(),
  ]
  if (results.includes(undefined)) return undefined
  const evaluated = new Set(results.flatMap((keys) => [...(keys ?? [])]))
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : []
  const rest = schema[Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties']
  if (rest === undefined) return evaluated
  const isFine = entries.every(([key, part]) => evaluated.has(key) || collect(rest, part))
  return isFine ? new Set(entries.map(([key]) => key)) : undefined
}

function inPlace(
  schema: JsonObject,
  value: unknown,
  { collect, root }: { readonly collect: Collect; readonly root: unknown },
): readonly (Keys | undefined)[] {
  const { $ref, allOf = [], anyOf, oneOf, not, dependentSchemas = {}, type, const: constant } = schema
  const valid = (branches: unknown): readonly Keys[] =>
    (branches as readonly unknown[]).flatMap((branch) => collect(branch) ?? [])
  const join = (all: readonly Keys[]): Keys => new Set(all.flatMap((keys) => [...keys]))
  const nothing: Keys = new Set()
  const condition = 'if' in schema ? collect(schema['if']) : undefined
  return [
    $ref === undefined ? nothing : collect(findReference(root, String($ref))),
    ...(allOf as readonly unknown[]).map((branch) => collect(branch)),
    anyOf === undefined ? nothing : valid(anyOf).length > 0 ? join(valid(anyOf)) : undefined,
    oneOf === undefined ? nothing : valid(oneOf).length === 1 ? join(valid(oneOf)) : undefined,
    not !== undefined && collect(not) ? undefined : nothing,
    condition ?? nothing,
    'if' in schema ? collect(condition ? schema['then'] : schema['else']) : nothing,
    ...Object.entries(dependentSchemas as JsonObject).map(([key, branch]) =>
      isObject(value) && Object.hasOwn(value, key) ? collect(branch) : nothing,
    ),
    type === 'string' && typeof value !== 'string' ? undefined : nothing,
    type === 'object' && !isObject(value) ? undefined : nothing,
    constant !== undefined && hasUniqueItems([constant, value]) ? undefined : nothing,
  ]
}

function ofObject(schema: JsonObject, value: JsonObject, collect: Collect): Keys | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const keys = new Set<string>()
  for (const [key, part] of Object.entries(value)) {
    const applying = [
      ...(Object.hasOwn(properties as JsonObject, key) ? [(properties as JsonObject)[key]] : []),
      ...Object.entries(patternProperties as JsonObject).flatMap(([pattern, inner]) =>
        new RegExp(pattern, 'u').test(key) ? [inner] : [],
      ),
    ]
    if (applying.length === 0 && additionalProperties !== undefined) applying.push(additionalProperties)
    if (applying.some((inner) => !collect(inner, part))) return undefined
    if (applying.length > 0) keys.add(key)
  }
  return keys
}

function ofList(schema: JsonObject, value: readonly unknown[], collect: Collect): Keys | undefined {
  const { prefixItems = [], items, contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  const prefix = prefixItems as readonly unknown[]
  const indexes = new Set<number>()
  for (const [index, part] of value.entries()) {
    const inner = index < prefix.length ? prefix[index] : items
    if (inner === undefined) continue
    if (!collect(inner, part)) return undefined
    indexes.add(index)
  }
  if (contains === undefined) return indexes
  const matching = [...value.keys()].filter((index) => collect(contains, value[index]))
  if (matching.length < Number(minContains) || matching.length > Number(maxContains)) return undefined
  return new Set([...indexes, ...matching])
}
