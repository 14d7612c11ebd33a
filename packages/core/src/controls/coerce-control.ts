import { isObject } from '@trestle/protocol'
import { isDeeperThan } from '../base/json.ts'
import type { ValueShape } from '../schema/value-shape.ts'

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const maxJsonDepth = 100
// The number of significant decimal digits that every number preserves.
const exactDigits = 15

/**
 * Converts a control to its declared type: text to a number, boolean, null, list or object, or a number or boolean to
 * text. Values that do not convert exactly are left for validation.
 *
 * @param value - The control, which is not modified.
 * @param shape - The types that the schema allows.
 */
export function coerceControl(value: unknown, shape: ValueShape | undefined): unknown {
  if (!shape) return value
  if (typeof value === 'string') return coerceText(value, shape.types)
  if (typeof value === 'number' || typeof value === 'boolean') {
    return shape.types?.size === 1 && shape.types.has('string') ? String(value) : value
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => coerceControl(item, shape.item(index)))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  const changed = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const coerced = coerceControl(item, shape.property(key))
    return coerced === item ? [] : [[key, coerced]]
  })
  return changed.length > 0 ? Object.fromEntries([...Object.entries(value), ...changed]) : value
}

function coerceText(text: string, types: ReadonlySet<string> | undefined): unknown {
  if (!types || types.has('string')) return text
  const trimmed = text.trim()
  if ((types.has('number') || types.has('integer')) && isExact(trimmed)) return Number(trimmed)
  if (types.has('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  if (types.has('null') && trimmed === 'null') return null
  if (types.has('array') && trimmed.startsWith('[')) return parseJson(trimmed, text)
  if (types.has('object') && trimmed.startsWith('{')) return parseJson(trimmed, text)
  return text
}

/** Returns whether a text is a number in JSON notation that converts without losing digits. */
function isExact(text: string): boolean {
  if (!decimal.test(text)) return false
  return text.includes('.') ? text.replace(/\D/g, '').length <= exactDigits : Number.isSafeInteger(Number(text))
}

function parseJson(text: string, otherwise: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeperThan(value, maxJsonDepth) ? otherwise : value
  } catch {
    return otherwise
  }
}
