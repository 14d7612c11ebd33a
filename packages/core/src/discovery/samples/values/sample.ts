import { isObject, type JsonObject } from '@trestle/protocol'
import { type Literal, noLiterals } from '../../text/near-literals.ts'
import { previewValues } from '../variation/preview-values.ts'
import { addExamples, type Variant, withPreferred } from './examples.ts'
import { maxItems, toLiteralValues } from './literal-values.ts'
import { follow, isNothing, isRecursive } from './recursion.ts'
import { guessType, resolveSchema } from './resolve-schema.ts'
import { createSampleBudget, type SampleLocation } from './sample-location.ts'
import { toSampleNumbers } from './sample-number.ts'
import { sampleObjectFields } from './sample-object.ts'
import { fits, toSampleText } from './sample-text.ts'

const maxDepth = 30
/** The possible list lengths in a preview; the first is used. */
export const shownCounts: readonly number[] = [2, 1, 0]
const absent: unique symbol = Symbol('absent')

/**
 * Creates the sample of a schema that a preview displays; it is always the same.
 *
 * @param schema - A JSON Schema.
 * @param name - The name of the value, for readable text.
 */
export function toSample(schema: unknown, name = 'value'): unknown {
  return sampleOf(schema, {
    variationSource: previewValues,
    root: schema,
    path: '',
    name,
    suffix: '',
    depth: 0,
    followed: [],
    budget: createSampleBudget(),
    lazy: false,
    counts: shownCounts,
    literals: noLiterals,
    isMinimal: false,
    unknown: () => ({}),
  })
}

/**
 * Creates sample data for a location.
 *
 * @param schema - The JSON Schema of the location.
 * @param from - The location.
 * @param optional - Whether the value may also be absent, represented by `undefined`.
 */
export function sampleOf(schema: unknown, from: SampleLocation, optional = false): unknown {
  if (optional && (isNothing(schema) || isRecursive(schema, from))) return undefined
  const resolved = resolveSchema(schema, from.root)
  const place = follow(schema, from)
  if (!place.lazy) place.budget.values--
  if (place.depth > maxDepth || place.budget.values < 0) return optional ? undefined : emptyOf(resolved)
  if (optional && place.isMinimal && !Object.hasOwn(resolved, 'default')) return undefined
  const variants = variantsOf(resolved, place)
  if (optional && !Object.hasOwn(resolved, 'default')) variants.push({ make: () => absent })
  const preferred = Math.max(
    variants.findIndex((variant) => variant.preferred),
    0,
  )
  const literals = toLiteralValues(resolved, place)
  const isList = (resolved['type'] ?? guessType(resolved)) === 'array'
  const index = place.variationSource.choose(place.path, variants.length, {
    preferred,
    literals: literals.length,
    isList,
  })
  const literal = literals[index - variants.length]
  if (literal !== undefined) return toLiteral(resolved, literal, place)
  const value = variants[index]?.make()
  return value === absent ? undefined : value
}

function toLiteral(schema: JsonObject, value: Literal, place: SampleLocation): unknown {
  const isLength = [schema['type'] ?? guessType(schema)].flat().includes('array') && typeof value === 'number'
  return isLength ? toItems(schema, value, place) : value
}

/** Returns the emptiest value of a type, for a location beyond the depth limit. */
function emptyOf(schema: JsonObject): unknown {
  const [type] = [schema['type'] ?? guessType(schema)].flat()
  if (type === 'array') return []
  if (type === 'object') return {}
  if (type === 'string') return ''
  return type === 'number' || type === 'integer' ? 0 : null
}

/** Returns the possible values, from fullest to emptiest. */
function variantsOf(schema: JsonObject, place: SampleLocation): Variant[] {
  if (Object.hasOwn(schema, 'const')) return [{ make: () => schema['const'] }]
  const { enum: values, oneOf, anyOf } = schema
  if (Array.isArray(values) && values.length > 0) return withPreferred(schema, values)
  const branches = oneOf ?? anyOf
  if (Array.isArray(branches) && branches.length > 0) {
    const endsAll = branches.every((branch) => isRecursive(branch, place))
    return branches.flatMap((branch, index) =>
      isRecursive(branch, place) && !endsAll
        ? []
        : branchOf(schema, branch, follow(branch, { ...place, path: `${place.path}|${index}` })),
    )
  }
  const types = [schema['type'] ?? guessType(schema)].flat()
  const variants = types.filter((type) => type !== 'null').flatMap((type) => variantsOfType(type, schema, place))
  if (types.includes('null')) variants.push({ make: () => null })
  return addExamples(schema, variants)
}

function branchOf(schema: JsonObject, branch: unknown, place: SampleLocation): Variant[] {
  const { oneOf: _oneOf, anyOf: _anyOf, ...base } = schema
  const own = resolveSchema(branch, place.root)
  const merged = resolveSchema({ allOf: [base, own] }, place.root)
  // One variant per branch; values inside a branch are varied separately.
  return [{ make: () => sampleOf(merged, { ...place, depth: place.depth + 1 }) }]
}

function variantsOfType(type: unknown, schema: JsonObject, place: SampleLocation): Variant[] {
  switch (type) {
    case 'boolean':
      return [{ make: () => true }, { make: () => false }]
    case 'number':
    case 'integer':
      return toSampleNumbers(schema, offsetOf(place)).map((value) => ({ make: () => value }))
    case 'string':
      return toTexts(schema, place).map((value) => ({ make: () => noteMisfit(schema, value, place) }))
    case 'array':
      return toCounts(schema, place).map((count) => ({ make: () => toItems(schema, count, place) }))
    case 'object':
      return [
        {
          make: () => (isOpen(schema, place) ? place.unknown(place.path) : sampleObjectFields(schema, place, sampleOf)),
        },
      ]
    default:
      return [{ make: () => place.unknown(place.path) }]
  }
}

/** Returns whether a schema does not restrict the object's fields in a way that matters for a sample. */
function isOpen({ properties, additionalProperties, required }: JsonObject, { lazy }: SampleLocation): boolean {
  const asksForNone = !Array.isArray(required) || required.length === 0
  return !isObject(properties) && additionalProperties !== false && (lazy || asksForNone)
}

/** Returns the index of the list item that the location belongs to, from 0. */
function offsetOf({ suffix }: SampleLocation): number {
  return suffix === '' ? 0 : Number(suffix.split('-').at(-1)) - 1
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/**
 * Records that a text does not match its pattern. Such text is not generated: the schema needs an example, or the
 * developer must provide a sample.
 */
function noteMisfit(schema: JsonObject, text: string, { path, variationSource }: SampleLocation): string {
  if (!fits(schema, text)) variationSource.refuse?.(path)
  return text
}

function toTexts(schema: JsonObject, place: SampleLocation): string[] {
  const full = toSampleText(schema, place.name, place.suffix)
  const mayBeEmpty =
    !(Number(schema['minLength']) > 0) && !Object.hasOwn(schema, 'pattern') && !Object.hasOwn(schema, 'format')
  return mayBeEmpty ? [full, ''] : [full]
}

function toCounts(schema: JsonObject, place: SampleLocation): number[] {
  const low = Math.min(numberOf(schema['minItems']) ?? 0, maxItems)
  if (isRecursive(schema['items'], place)) return [low]
  const high = numberOf(schema['maxItems']) ?? Math.max(low, 2)
  return [...new Set(place.counts.map((count) => Math.min(Math.max(count, low), high)))]
}

function toItems(schema: JsonObject, count: number, place: SampleLocation): unknown[] {
  const { prefixItems, items } = schema
  const isOld = Array.isArray(items)
  const fixed: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : isOld ? items : []
  const others = isOld ? schema['additionalItems'] : items
  const most = others === false ? fixed.length : (numberOf(schema['maxItems']) ?? Number.POSITIVE_INFINITY)
  const length = Math.min(Math.max(count, fixed.length), most)
  const itemSamples = Array.from({ length }, (_, index) =>
    sampleOf(fixed[index] ?? others ?? {}, {
      ...place,
      path: `${place.path}/${index}`,
      name: place.name.replace(/(?<=\w)s$/, ''),
      suffix: index === 0 ? place.suffix : `${place.suffix}-${index + 1}`,
      depth: place.depth + 1,
    }),
  )
  if (schema['uniqueItems'] !== true || place.lazy) return itemSamples
  return [...new Map(itemSamples.map((item) => [JSON.stringify(item), item])).values()]
}
