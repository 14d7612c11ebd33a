import { isDeeperThan, tagOf } from '../../base/json.ts'

const maxDepth = 50

/**
 * Returns a value as JSON carries it: a copy of what it is now.
 *
 * @param value - As code gave it.
 * @param what - What it is for, as the message begins.
 * @throws TypeError - JSON cannot carry it, or it is nested too deep.
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

// What JSON makes nothing of, or an empty object.
const lost: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'RegExp', 'Error', 'ArrayBuffer', 'DataView', 'URLSearchParams'],
  ...['Headers', 'FormData', 'Blob', 'File', 'ReadableStream', 'Request', 'Response'],
])

/** JSON leaves out a function, and makes `null` of what is no number, which would remove a field of metadata. */
function refuseLost(this: unknown, key: string, value: unknown): unknown {
  // Before `toJSON`: a date without a time becomes `null` there.
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
