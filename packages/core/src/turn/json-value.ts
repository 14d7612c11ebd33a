import { isDeeperThan } from '../base/json.ts'

const maxDepth = 50

/**
 * Returns a value as JSON carries it.
 *
 * @param value - As code gave it.
 * @param what - What it is for, as the message begins.
 * @throws TypeError - JSON cannot carry it, or it is nested too deep.
 */
export function toJsonValue(value: unknown, what: string): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
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
