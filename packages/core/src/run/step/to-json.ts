import type { Issue, JsonObject } from '@trestle/protocol'
import { isObject, maxIssues, setOwn, toPointer } from '@trestle/protocol'
import { tagOf } from '../../base/json.ts'

const maxDepth = 100

/** A value from user code as JSON data, or why JSON cannot represent it. */
export type JsonVerdict =
  | { readonly value: JsonObject; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

interface Walk {
  readonly issues: Issue[]
  readonly path: (string | number)[]
  readonly parents: object[]
}

/**
 * Copies a value from user code as JSON would: omits `undefined` fields and calls `toJSON`. Values that JSON would
 * silently drop or change (functions, symbols, NaN, cycles, ...) become issues. Never throws, even if reading the value
 * throws.
 *
 * @param value - The output of a handler or an override.
 */
export function toJson(value: unknown): JsonVerdict {
  const walk: Walk = { issues: [], path: [], parents: [] }
  const copied = copy(value, walk)
  if (walk.issues.length > 0) return { issues: walk.issues }
  if (isObject(copied)) return { value: copied }
  return { issues: [{ path: '', message: `must be an object; it is ${describe(copied)}` }] }
}

function copy(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value
    case 'number':
      return Number.isFinite(value) ? value : report(walk, `is ${String(value)}, which JSON cannot represent`)
    case 'object':
      return value === null ? null : copyObject(value, walk)
    default:
      return report(walk, `is a ${typeof value}, which JSON cannot represent`)
  }
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.parents.includes(value)) return report(walk, 'refers back to an object that contains it')
  if (walk.parents.length >= maxDepth) return report(walk, `is nested deeper than ${maxDepth} levels`)
  const { length } = walk.path
  walk.parents.push(value)
  try {
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') {
      if (tagOf(value) === 'Date' && Number.isNaN(Number(value)))
        return report(walk, 'is an invalid Date, which JSON would change to null')
      return copy(Reflect.apply(toJSON, value, [String(walk.path.at(-1) ?? '')]), walk)
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return copy(value.valueOf(), walk)
    if (Array.isArray(value)) return copyItems(value, walk)
    const fields = Object.keys(value)
    const tag = fields.length === 0 ? tagOf(value) : 'Object'
    // JSON would serialize such objects as `{}`.
    return tag === 'Object' ? copyFields(value, fields, walk) : report(walk, `is a ${tag}, ${toCure(tag)}`)
  } catch {
    return report(walk, 'cannot be read: reading it throws')
  } finally {
    // A read that throws leaves its key in the path.
    walk.path.length = length
    walk.parents.pop()
  }
}

function copyItems(items: readonly unknown[], walk: Walk): unknown[] {
  const copied: unknown[] = []
  for (let index = 0; index < items.length; index++) {
    walk.path.push(index)
    copied.push(copy(items[index], walk) ?? null)
    walk.path.pop()
  }
  return copied
}

/** Returns the recommended replacement for an object that JSON would serialize as empty. */
function toCure(tag: string): string {
  const cures: Readonly<Record<string, string>> = {
    Map: 'an object, with Object.fromEntries',
    Set: 'a list of its values',
    Promise: 'its awaited value',
  }
  return `which JSON cannot represent: return ${cures[tag] ?? 'its content as an object, a list or a string'}`
}

function copyFields(value: object, fields: readonly string[], walk: Walk): JsonObject {
  const copied: JsonObject = {}
  for (const key of fields) {
    walk.path.push(key)
    const field = copy(Reflect.get(value, key), walk)
    walk.path.pop()
    if (field === undefined) continue
    // Defined as an own property even if an inherited accessor has the same name.
    if (key === '__proto__') setOwn(copied, key, field)
    else copied[key] = field
  }
  return copied
}

function report(walk: Walk, message: string): undefined {
  if (walk.issues.length < maxIssues) walk.issues.push({ path: toPointer(walk.path), message })
  return undefined
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return value === undefined ? 'undefined' : `a ${typeof value}`
}
