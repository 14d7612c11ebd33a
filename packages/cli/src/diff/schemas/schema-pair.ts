import { findReference, isObject } from '@trestle/protocol'
import type { Narrowing } from './narrowing.ts'
import { isSameJson, type Schema, toPlainSchema } from './plain-schema.ts'

/** The state of a comparison of two schemas. */
export interface Comparison {
  /** The whole earlier schema, for its references. */
  readonly before: Schema
  readonly after: Schema
  /** The pairs being compared, so that recursive schemas end. */
  readonly open: Set<string>
  /** The current path in a value, a JSON pointer. */
  readonly path: string
  /** Compares two subschemas; passed along to avoid circular imports. */
  readonly compare: (before: Schema, after: Schema, at: Comparison) => readonly Narrowing[]
}

/** The object form of a schema; `true` becomes an empty object. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** Returns a comparison one level deeper. */
export function into(at: Comparison, name: string): Comparison {
  return { ...at, path: `${at.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

/**
 * Returns one narrowing at the current path.
 *
 * @param kind - The effect. @default 'breaking'
 */
export function narrowing(at: Comparison, message: string, kind: Narrowing['kind'] = 'breaking'): readonly Narrowing[] {
  return [{ kind, path: at.path, message }]
}

/** Returns the value of a keyword as a schema. */
export function toSchema(value: unknown): Schema {
  return typeof value === 'boolean' || isObject(value) ? value : true
}

/** Returns whether two subschemas are equal. References are only equal if their targets are. */
export function isSame(one: unknown, other: unknown, at: Comparison): boolean {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : isObject(value) ? toPlainSchema(value, { keepDefaults: false }) : value
  if (!isSameJson(plain(one), plain(other))) return false
  return !/"\$(?:ref|dynamicRef|recursiveRef)"/.test(JSON.stringify(one) ?? '') || isSameJson(at.before, at.after)
}

/** Returns the target of a reference, or undefined if it is outside the document. */
export function followReference(root: Schema, reference: unknown): Schema | undefined {
  const target = typeof reference === 'string' ? findReference(root, reference) : undefined
  return target === undefined ? undefined : toSchema(target)
}
