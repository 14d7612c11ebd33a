import type { JsonObject } from '@trestle/protocol'

/** Parses JSON that this service stored. */
export function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** Parses a JSON object that this service stored; `null` counts as an empty object. */
export function parseObject(text: string | null): JsonObject {
  return text === null ? {} : (JSON.parse(text) as JsonObject)
}
