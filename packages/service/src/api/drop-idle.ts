import { findPath } from '@trestle/protocol'
import type { z } from 'zod'

/** A value whose name the operation does not support. */
export interface UnknownValue {
  readonly name: string
  readonly value: unknown
}

/** The maximum number of reported names, and the maximum length of each. */
const maxNames = 20
const maxNameLength = 100

/**
 * Removes values with unknown names from the input if they carry no information.
 *
 * @param input - The query or body, which is modified.
 * @param issues - The schema issues.
 * @param isIdle - Returns whether a value carries no information.
 * @returns The paths of removed values.
 */
export function dropIdle(
  input: unknown,
  issues: readonly z.core.$ZodIssue[],
  isIdle: (unknown: UnknownValue) => boolean,
): readonly string[] {
  const dropped: string[] = []
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const parent = findPath(input, issue.path)
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
 * Returns whether a value carries no information: null, false, or an empty string, list or object. Clients of other
 * versions send such values for options that are not set.
 *
 * @param value - Any JSON value.
 */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/**
 * Formats names as a header value.
 *
 * @param names - The names, chosen by the sender.
 */
export function toIgnoredHeader(names: readonly string[]): string {
  const encodedNames = names
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).replace(/[\ud800-\udfff]/g, '?')))
  return [...encodedNames, ...(names.length > maxNames ? ['...'] : [])].join(', ')
}
