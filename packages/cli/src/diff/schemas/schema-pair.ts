import { isRecord } from '../../base/is-record.ts'
import type { Narrowing } from './narrowing.ts'
import { isSameJson, type Schema, toPlainSchema } from './plain-schema.ts'

/** What a comparison of two schemas works with. */
export interface Comparison {
  /** The whole earlier schema, in which its references are found. */
  readonly before: Schema
  readonly after: Schema
  /** Pairs that are being compared, so that recursive schemas end. */
  readonly open: Set<string>
  /** Where the two are in a value, a JSON pointer. */
  readonly path: string
  /** Compares two parts; given along so that the parts of the comparison need not import each other. */
  readonly compare: (before: Schema, after: Schema, at: Comparison) => readonly Narrowing[]
}

/** The object form of a schema; `true` is the empty one. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** Returns a comparison one level deeper. */
export function into(at: Comparison, name: string): Comparison {
  return { ...at, path: `${at.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

/**
 * Returns one narrowing at the place of a comparison.
 *
 * @param kind - What it leads to. @default 'breaking'
 */
export function narrowing(at: Comparison, message: string, kind: Narrowing['kind'] = 'breaking'): readonly Narrowing[] {
  return [{ kind, path: at.path, message }]
}

/** Returns a value of a schema's keyword as a schema. */
export function toSchema(value: unknown): Schema {
  return typeof value === 'boolean' || isRecord(value) ? value : true
}

/**
 * Returns whether two parts of schemas refuse the same by being the same. References count only where what they lead to
 * is the same as well.
 */
export function isSame(one: unknown, other: unknown, at: Comparison): boolean {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : isRecord(value) ? toPlainSchema(value, { keepDefaults: false }) : value
  if (!isSameJson(plain(one), plain(other))) return false
  return !/"\$(?:ref|dynamicRef|recursiveRef)"/.test(JSON.stringify(one) ?? '') || isSameJson(at.before, at.after)
}

/** Returns the schema a reference leads to, or undefined where it leads out of the document. */
export function followReference(root: Schema, reference: unknown): Schema | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return reference === '#' || reference.startsWith('#/') ? toSchema(found) : undefined
}
