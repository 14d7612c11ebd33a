import { createHash } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { toMatchKeys } from '@trestle/run-rules'

/** The fields that an event must have, as hashes. */
export interface WantedKeys {
  /** One of them: events with it are candidates. */
  readonly bucket: string
  /** All of them; a hash of the name alone if there are none. */
  readonly wanted: readonly string[]
}

/**
 * Returns the keys of a wait.
 *
 * @param outputs - The output of the step's handler.
 */
export function toWaitKeys({ event, match }: JsonObject): WantedKeys {
  return toWantedKeys(String(event), toMatchKeys((match ?? {}) as JsonObject))
}

/**
 * Returns the keys that an event must have. The bucket is that of the longest value, because ids, which distinguish runs,
 * are longer than kinds and flags.
 *
 * @param name - The name of the event.
 * @param keys - Its compared fields.
 */
export function toWantedKeys(name: string, keys: readonly string[]): WantedKeys {
  const [longest = ''] = [...keys].sort((left, right) => right.length - left.length)
  const toKey = (key: string): string => hash(name, key)
  return { bucket: toKey(longest), wanted: keys.length === 0 ? [toKey('')] : keys.map(toKey) }
}

/**
 * Returns the keys that waits for an event may have.
 *
 * @param name - The name of the event.
 * @param fields - The fields that waits compare.
 */
export function toEventHashes(name: string, fields: JsonObject): readonly string[] {
  return ['', ...toMatchKeys(fields)].map((key) => hash(name, key))
}

/** Hexadecimal digits have no special meaning in an SQL pattern. Values may be too long for an index. */
function hash(name: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([name, key]))
    .digest('hex')
    .slice(0, 32)
}
