import { compileRules, readSchema } from '@trestle/json-schema'
import { isObject } from '@trestle/protocol'
import { compareArrays } from './compare-arrays.ts'
import { compareNumbers, compareSizes } from './compare-bounds.ts'
import { compareChoices } from './compare-choices.ts'
import { compareObjects } from './compare-objects.ts'
import type { Narrowing } from './narrowing.ts'
import { isSameJson, type Schema } from './plain-schema.ts'
import { type Comparison, followReference, isSame, narrowing, type SchemaObject, toSchema } from './schema-pair.ts'
import { typesOf, type ValueType } from './value-types.ts'

/** Keywords compared as a whole: they accept the same values if they, and the keywords they depend on, are equal. */
const wholes: readonly (readonly string[])[] = [
  ['pattern'],
  ['format'],
  ['not'],
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
  ['propertyNames'],
  ['dependentRequired'],
  ['dependentSchemas'],
  ['dependencies'],
  ['$dynamicRef'],
  ['$recursiveRef'],
]
/** Keywords that only apply to values of one type; values of other types need not match them. */
const typed: Readonly<Record<string, ValueType>> = {
  pattern: 'string',
  format: 'string',
  contains: 'array',
  propertyNames: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  dependencies: 'object',
}

/**
 * Returns the paths at which a schema may reject what its earlier form accepted. Returns nothing only if every
 * previously accepted value is certainly still accepted; uncertain cases count as rejected.
 */
export function compareSchemas(before: Schema, after: Schema): readonly Narrowing[] {
  const [was, is] = [readSchema(before), readSchema(after)]
  const roots = {
    // Nothing is known about the values that an unusable schema accepted.
    before: was.fault === undefined ? (was.schema as Schema) : true,
    after: is.fault === undefined ? (is.schema as Schema) : false,
  }
  const at: Comparison = { ...roots, open: new Set(), path: '', compare }
  if (is.fault === undefined) return compare(roots.before, roots.after, at)
  return isSameJson(before, after) ? [] : narrowing(at, `the schema cannot be used: ${is.fault}`)
}

function compare(before: Schema, after: Schema, at: Comparison): readonly Narrowing[] {
  if (after === true || before === false) return []
  if (after === false) return narrowing(at, 'no value is accepted here any more')
  if (isSame(before, after, at)) return []
  const pair = JSON.stringify([before, after])
  // A pair nested within itself adds nothing: values are finite, so the outer comparison decides.
  if (at.open.has(pair)) return []
  at.open.add(pair)
  try {
    return compareOpen(before === true ? {} : before, after, at)
  } finally {
    at.open.delete(pair)
  }
}

function compareOpen(before: SchemaObject, after: SchemaObject, at: Comparison): readonly Narrowing[] {
  if ('$ref' in after) {
    const { $ref, ...rest } = after
    const target = followReference(at.after, $ref)
    if (target === undefined) return narrowing(at, `the reference ${JSON.stringify($ref)} cannot be resolved`)
    return [...at.compare(before, target, at), ...at.compare(before, rest, at)]
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: choices, ...rest } = after
    if (choices !== undefined && Object.keys(rest).length > 0)
      return [...at.compare(before, rest, at), ...at.compare(before, { [keyword]: choices }, at)]
  }
  const values = 'const' in before ? [before['const']] : before['enum']
  if (Array.isArray(values)) return compareValues(values, after, at)
  const parts = conjuncts(before, at)
  const [only] = parts
  if (parts.length === 1 && only === before) return compareKeywords(before, after, at)
  if (parts.length === 1 && only !== undefined) return at.compare(only, after, at)
  // Each new condition must follow from one of the earlier ones; otherwise the worst result is reported.
  return splitKeywords(after).flatMap((one) => {
    const verdicts = parts.map((part) => at.compare(part, one, at))
    if (verdicts.some((verdict) => verdict.length === 0)) return []
    return verdicts.find((verdict) => verdict.some(({ kind }) => kind === 'breaking')) ?? verdicts[0] ?? []
  })
}

function compareValues(values: readonly unknown[], after: SchemaObject, at: Comparison): readonly Narrowing[] {
  const lost = findRejected(values, after, at)
  if (lost.length === 0) return []
  return narrowing(
    at,
    `${lost.map((value) => JSON.stringify(value)).join(', ')} ${lost.length === 1 ? 'is' : 'are'} not accepted any more`,
  )
}

function findRejected(values: readonly unknown[], schema: SchemaObject, at: Comparison): readonly unknown[] {
  try {
    const rule = compileRules(schema, at.after)
    return values.filter((value) => !rule.accepts(value))
  } catch {
    // The schema refers to itself endlessly.
    return values
  }
}

/**
 * Returns the conditions of the earlier schema: its own keywords, each part of `allOf`, and the target of its
 * reference.
 */
function conjuncts(schema: SchemaObject, at: Comparison): readonly Schema[] {
  const { allOf, $ref, ...rest } = schema
  const target = $ref === undefined ? undefined : followReference(at.before, $ref)
  const others = [...(Array.isArray(allOf) ? allOf.map(toSchema) : []), ...(target === undefined ? [] : [target])]
  if (others.length === 0) return [allOf === undefined && $ref === undefined ? schema : rest]
  const says = Object.keys(rest).some((keyword) => keyword !== '$defs' && keyword !== 'definitions')
  return says ? [rest, ...others] : others
}

/** Keywords that depend on each other stay together. */
function splitKeywords(schema: SchemaObject): readonly Schema[] {
  const groups = [
    ['properties', 'patternProperties', 'additionalProperties'],
    ['items', 'prefixItems', 'additionalItems'],
    ['if', 'then', 'else'],
    ['contains', 'minContains', 'maxContains'],
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ]
  const parts = new Map<string, Record<string, unknown>>()
  for (const [keyword, value] of Object.entries(schema)) {
    const group = groups.find((names) => names.includes(keyword))?.[0] ?? keyword
    parts.set(group, { ...parts.get(group), [keyword]: value })
  }
  return [...parts.values()]
}

function compareKeywords(before: SchemaObject, after: SchemaObject, at: Comparison): readonly Narrowing[] {
  if (!('anyOf' in after || 'oneOf' in after)) {
    // Compatible if every alternative is, or if the other keywords alone are.
    for (const keyword of ['anyOf', 'oneOf']) {
      const { [keyword]: choices, ...rest } = before
      if (!Array.isArray(choices)) continue
      const narrowings = choices.flatMap((one) => at.compare(toSchema(one), after, at))
      return narrowings.length === 0 ? narrowings : at.compare(rest, after, at).length === 0 ? [] : narrowings
    }
  }
  const types = typesOf(before)
  const allNarrowings: Narrowing[] = [...compareTypes(types, after, at)]
  if ('enum' in after || 'const' in after) allNarrowings.push(...narrowing(at, 'only listed values are now accepted'))
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'])
    if (keyword in after) allNarrowings.push(...narrowing(at, `${keyword} has changed and cannot be compared`))
  if (types.includes('object'))
    allNarrowings.push(...compareObjects(before, after, at), ...compareSizes(before, after, { at, type: 'object' }))
  if (types.includes('array'))
    allNarrowings.push(...compareArrays(before, after, at), ...compareSizes(before, after, { at, type: 'array' }))
  if (types.includes('string')) allNarrowings.push(...compareSizes(before, after, { at, type: 'string' }))
  if (types.includes('integer'))
    allNarrowings.push(...compareNumbers(before, after, { at, isWhole: !types.includes('fraction') }))
  allNarrowings.push(...compareWholes(before, after, { at, types }), ...compareChoices(before, after, at))
  for (const part of Array.isArray(after['allOf']) ? after['allOf'] : [])
    allNarrowings.push(...at.compare(before, toSchema(part), at))
  return unique(allNarrowings)
}

function compareTypes(types: readonly ValueType[], after: SchemaObject, at: Comparison): readonly Narrowing[] {
  const now = typesOf(after)
  const lost = types.filter((type) => !now.includes(type))
  if (lost.length === 0) return []
  const expectedTypes = [after['type']].flat().join(' or ')
  return narrowing(
    at,
    `the type must now be ${expectedTypes}; ${lost.map((type) => (type === 'fraction' ? 'number' : type)).join(', ')} ${lost.length === 1 ? 'is' : 'are'} rejected`,
  )
}

function compareWholes(
  before: SchemaObject,
  after: SchemaObject,
  { at, types }: { readonly at: Comparison; readonly types: readonly ValueType[] },
): readonly Narrowing[] {
  return wholes.flatMap((group) => {
    const [main = ''] = group
    if (!(main in after) || (typed[main] && !types.includes(typed[main]))) return []
    const isKept = group.every((keyword) => isSame(before[keyword], after[keyword], at))
    return isKept
      ? []
      : narrowing(at, `the ${main} has changed${isObject(after[main]) ? '' : ` to ${JSON.stringify(after[main])}`}`)
  })
}

function unique(narrowings: readonly Narrowing[]): readonly Narrowing[] {
  return narrowings.filter((one, index) => narrowings.findIndex((other) => isSameJson(one, other)) === index)
}
