import type { JsonObject } from '@trestle/protocol'

/**
 * Returns what a stored text holds.
 *
 * @param text - JSON, as this service wrote it.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/**
 * Returns the object a stored text holds.
 *
 * @param text - JSON, as this service wrote it; `null` stands for an empty object.
 */
export function parseObject(text: string | null): JsonObject {
  return text === null ? {} : (JSON.parse(text) as JsonObject)
}
