import { isObject } from '@trestle/protocol'
import type { Narrowing } from './narrowing.ts'
import { isSameJson, type Schema } from './plain-schema.ts'
import { type Comparison, followReference, isSame, narrowing, type SchemaObject, toSchema } from './schema-pair.ts'
import { typesOf } from './value-types.ts'

/**
 * Returns the paths at which `anyOf` and `oneOf` of the later schema reject what the earlier one accepted: each earlier
 * alternative must match a later one.
 */
export function compareChoices(before: SchemaObject, after: SchemaObject, at: Comparison): readonly Narrowing[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const choices = after[keyword]
    if (!Array.isArray(choices) || isSame(before[keyword], choices, at)) return []
    const now = choices.map(toSchema)
    if (keyword === 'oneOf' && !areDisjoint(now, at))
      return narrowing(at, 'the alternatives have changed, and a value may now match two of them')
    return splitChoices(before).flatMap((one) => {
      const fits = now.some((other) => at.compare(one, other, at).every(({ kind }) => kind === 'notice'))
      if (!fits) return narrowing(at, `no alternative accepts ${toWords(one)} any more`)
      // A match with notices is not conclusive, so the notices are kept.
      const clean = now.some((other) => at.compare(one, other, at).length === 0)
      return clean ? [] : narrowing(at, `an alternative for ${toWords(one)} has changed`, 'notice')
    })
  })
}

/** Returns the alternatives of a schema: its own, or one for each type. */
function splitChoices(schema: SchemaObject): readonly Schema[] {
  const { anyOf, oneOf, ...rest } = schema
  const own = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (own) return own.map((one) => merge(rest, toSchema(one)))
  if (Array.isArray(schema['type'])) return schema['type'].map((type) => ({ ...schema, type }))
  return [schema]
}

/**
 * Combines an alternative with the rest of its schema; if they share a keyword, only the alternative is used, which
 * accepts at least as much.
 */
function merge(rest: SchemaObject, choice: Schema): Schema {
  if (typeof choice === 'boolean') return choice ? rest : false
  return Object.keys(rest).some((keyword) => Object.hasOwn(choice, keyword)) ? choice : { ...rest, ...choice }
}

/**
 * Returns whether no value matches two alternatives: they differ in type, or in the constant of a field that all of
 * them require.
 */
function areDisjoint(choices: readonly Schema[], at: Comparison): boolean {
  const all = choices.map((one) => resolve(one, at.after))
  return all.every((one, index) => all.slice(index + 1).every((other) => isApart(one, other)))
}

function isApart(one: SchemaObject, other: SchemaObject): boolean {
  const types = typesOf(other)
  if (!typesOf(one).some((type) => types.includes(type))) return true
  if ('const' in one && 'const' in other) return !isSameJson(one['const'], other['const'])
  if (one['type'] !== 'object' || other['type'] !== 'object') return false
  return constantsOf(one).some(([name, value]) =>
    constantsOf(other).some(([otherName, otherValue]) => name === otherName && !isSameJson(value, otherValue)),
  )
}

function constantsOf({ properties, required }: SchemaObject): readonly (readonly [string, unknown])[] {
  if (!isObject(properties) || !Array.isArray(required)) return []
  return Object.entries(properties).flatMap(([name, schema]) =>
    required.includes(name) && isObject(schema) && 'const' in schema ? [[name, schema['const']] as const] : [],
  )
}

function resolve(schema: Schema, root: Schema): SchemaObject {
  if (typeof schema === 'boolean') return {}
  const target = schema['$ref'] === undefined ? schema : followReference(root, schema['$ref'])
  return isObject(target) ? target : {}
}

function toWords(schema: Schema): string {
  if (typeof schema === 'boolean') return 'the accepted values'
  const name = schema['const'] ?? schema['type']
  return name === undefined ? 'the accepted values' : JSON.stringify(name)
}
