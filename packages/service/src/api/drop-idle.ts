import type { z } from 'zod'

/** A value under a name that the operation does not have. */
export interface UnknownValue {
  /** The name. */
  readonly name: string
  /** The value. */
  readonly value: unknown
}

/** The names that are told at most, and the length of each. */
const maxNames = 20
const maxNameLength = 100

/**
 * Removes values under unknown names from input, where nothing is lost by that.
 *
 * @param input - The query or body, which is changed.
 * @param issues - What its schema says of it.
 * @param isIdle - Whether a value says nothing.
 * @returns The paths of what was removed.
 */
export function dropIdle(
  input: unknown,
  issues: readonly z.core.$ZodIssue[],
  isIdle: (unknown: UnknownValue) => boolean,
): readonly string[] {
  const dropped: string[] = []
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const parent = valueAt(input, issue.path)
    if (typeof parent !== 'object' || parent === null) continue
    for (const name of issue.keys) {
      if (!Object.hasOwn(parent, name) || !isIdle({ name, value: Reflect.get(parent, name) })) continue
      Reflect.deleteProperty(parent, name)
      dropped.push([...issue.path, name].join('.'))
    }
  }
  return dropped
}

/**
 * Returns whether a value says nothing: null, false, or an empty text, list or object. Clients of other versions send such
 * values for options that are not in use.
 *
 * @param value - A value of JSON.
 */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/**
 * Returns names as a header tells them.
 *
 * @param names - The names, which are the sender's.
 */
export function toIgnoredHeader(names: readonly string[]): string {
  const shown = names
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).replace(/[\ud800-\udfff]/g, '?')))
  return [...shown, ...(names.length > maxNames ? ['...'] : [])].join(', ')
}

/**
 * Returns the value at a path, or undefined.
 *
 * @param root - A value of JSON.
 * @param path - The names and indexes that lead to it.
 */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}
