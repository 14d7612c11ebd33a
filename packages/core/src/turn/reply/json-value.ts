import { isDeeperThan } from '../../base/json.ts'

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
const lost = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'RegExp', 'Error']

/** JSON leaves out a function, and makes `null` of what is no number, which would remove a field of metadata. */
function refuseLost(this: unknown, key: string, value: unknown): unknown {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  const isLost =
    typeof value === 'symbol' ||
    (typeof value === 'function' && key !== '') ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    lost.includes(tag)
  if (!isLost) return value
  const where = key === '' ? 'It' : `The field ${JSON.stringify(key)}`
  throw new TypeError(`${where} is ${typeof value === 'number' ? value : `a ${tag.toLowerCase()}`}.`)
}
