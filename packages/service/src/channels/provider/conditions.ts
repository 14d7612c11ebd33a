import { findPath, isObject, type JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { toObject } from '../../json/json.ts'
import type { Delivery } from '../base/delivery.ts'

/** The subjects of an integration's conditions. */
export const conditionSubjects: readonly string[] = Object.freeze(['payload', 'subscriber', 'tenant'])

type Compare = (actual: unknown, expected: string) => boolean

const operators: Readonly<Record<string, Compare>> = {
  EQUAL: (actual, expected) => toComparable(actual) === expected,
  NOT_EQUAL: (actual, expected) => toComparable(actual) !== expected,
  LARGER: (actual, expected) => toNumber(actual) > Number(expected),
  SMALLER: (actual, expected) => toNumber(actual) < Number(expected),
  LARGER_EQUAL: (actual, expected) => toNumber(actual) >= Number(expected),
  SMALLER_EQUAL: (actual, expected) => toNumber(actual) <= Number(expected),
  IN: (actual, expected) => includes(actual, expected),
  NOT_IN: (actual, expected) => !includes(actual, expected),
  IS_DEFINED: (actual) => actual !== undefined && actual !== null,
}

export const conditionOperators: readonly string[] = Object.freeze(Object.keys(operators))

/**
 * Returns whether an integration matches a message: it has no conditions, or one of its groups holds. In a group,
 * `value` determines whether all (`AND`, the default) or one (`OR`) of its children must hold.
 *
 * @param stored - The conditions, as JSON text.
 */
export function matchesConditions(stored: string, delivery: Pick<Delivery, 'run' | 'subscriber'>): boolean {
  const groups: unknown = JSON.parse(stored)
  if (!Array.isArray(groups) || groups.length === 0) return true
  const { payload, tenant } = delivery.run
  const subjects = { payload, subscriber: delivery.subscriber, tenant }
  return groups.filter(isObject).some((group) => matchesGroup(group, subjects))
}

function matchesGroup(group: JsonObject, subjects: JsonObject): boolean {
  const children = Array.isArray(group['children']) ? group['children'].filter(isObject) : []
  if (children.length === 0) return true
  const results = children.map((child) => matchesChild(child, subjects))
  const holds = group['value'] === 'OR' ? results.some(Boolean) : results.every(Boolean)
  return group['isNegated'] === true ? !holds : holds
}

function matchesChild({ on, field, operator, value }: JsonObject, subjects: JsonObject): boolean {
  const actual = findPath(toObject(subjects[String(on)]), String(field).split('.'))
  return Object.hasOwn(operators, String(operator)) && operators[String(operator)]?.(actual, String(value)) === true
}

/** Only numbers and strings are ordered; any other comparison is false. */
function toNumber(actual: unknown): number {
  return typeof actual === 'number' || (typeof actual === 'string' && actual.trim() !== '')
    ? Number(actual)
    : Number.NaN
}

/** Conditions contain only strings, so a value is compared by its string form. */
function toComparable(actual: unknown): string {
  return typeof actual === 'object' && actual !== null ? JSON.stringify(actual) : String(actual)
}

function includes(actual: unknown, expected: string): boolean {
  const list = Array.isArray(actual) ? actual.map(toText) : undefined
  return list
    ? list.includes(expected)
    : expected
        .split(',')
        .map((item) => item.trim())
        .includes(toText(actual))
}
