/** Formats a value for a message. */
export function printValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  if (Object.prototype.toString.call(value) === '[object RegExp]') return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
