import { isDeeperThan, tagOf } from '../../base/json.ts'

const maxDepth = 50

/**
 * Returns a JSON copy of the current state of a value.
 *
 * @param what - The name of the value, at the start of the error message.
 * @throws TypeError - JSON cannot represent it, or it is nested too deeply.
 */
export function toJsonValue(value: unknown, what: string): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value, refuseLost)
  } catch (error) {
    throw new TypeError(`${what}: the value cannot be sent as JSON. ${String(error)}`, { cause: error })
  }
  if (text === undefined) {
    if (value === undefined) return undefined
    throw new TypeError(`${what}: a ${typeof value} cannot be sent as JSON.`)
  }
  const json: unknown = JSON.parse(text)
  if (isDeeperThan(json, maxDepth)) throw new TypeError(`${what}: the value is nested deeper than ${maxDepth} levels.`)
  return json
}

// Values that JSON drops, or turns into an empty object.
const lost: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'RegExp', 'Error', 'ArrayBuffer', 'DataView', 'URLSearchParams'],
  ...['Headers', 'FormData', 'Blob', 'File', 'ReadableStream', 'Request', 'Response'],
])

/**
 * Rejects values that JSON would change: it drops functions, and turns NaN into `null`, which would remove a metadata
 * field.
 */
function refuseLost(this: unknown, key: string, value: unknown): unknown {
  // Must be checked before `toJSON`, which turns an invalid date into `null`.
  const own: unknown = Reflect.get(Object(this), key)
  const tag = tagOf(value)
  const isLost =
    typeof value === 'symbol' ||
    (typeof value === 'function' && key !== '') ||
    (tag === 'Number' && !Number.isFinite(Number(value))) ||
    (tagOf(own) === 'Date' && value === null) ||
    lost.has(tag)
  if (!isLost) return value
  const where = key === '' ? 'It' : `The field ${JSON.stringify(key)}`
  const kind = tagOf(own).toLowerCase()
  const named = `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`
  throw new TypeError(`${where} is ${tag === 'Number' ? Number(value) : named}.`)
}
