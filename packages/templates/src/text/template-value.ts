/**
 * Converts a value to text: empty for a missing value, JSON for lists and objects.
 *
 * @example
 * toText([1, 'a']) // '[1,"a"]'
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (typeof value !== 'object') return String(value)
  const json = JSON.stringify(value) ?? ''
  // An object that serializes to a string, such as the preview of an unknown field.
  return json.startsWith('"') ? String(JSON.parse(json)) : json
}

/**
 * Converts JSON data to text; the engine's own values (`nil`, `blank`, `empty`) become an empty text.
 *
 * @example
 * toDataText({ id: 7 }) // '{"id":7}'
 */
export function toDataText(value: unknown): string {
  return isJson(value) ? toText(value) : ''
}

/**
 * Returns whether a value is JSON data; the engine's own objects (`blank`, `empty`) are not.
 *
 * @example
 * isJson(new Map()) // false
 */
export function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
