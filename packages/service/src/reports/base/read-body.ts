import { isObject, type JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'

/**
 * Returns the text of a body.
 *
 * @throws {ApiError} 400 if it is not UTF-8.
 */
export function readUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ApiError(400, 'The body is not UTF-8.')
  }
}

/**
 * Returns the objects of a JSON body: those of a list, or the only one.
 *
 * @throws {ApiError} 400 if the body is not JSON.
 */
export function readObjects(body: Uint8Array): readonly JsonObject[] {
  const text = readUtf8(body)
  try {
    return [JSON.parse(text) as unknown].flat().filter(isObject)
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
}

/** Returns the only object of a JSON body; empty for any other body. */
export function readObject(body: Uint8Array): JsonObject {
  const [first = {}] = readObjects(body)
  return first
}

/** Returns the time of an ISO 8601 text, in milliseconds since 1970. */
export function readTime(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

/** Converts a time in seconds since 1970 to milliseconds. */
export function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 1000) : undefined
}
