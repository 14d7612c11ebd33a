import type { JsonObject } from '@trestle/protocol'
import { invalid, notFound } from '../../api/api-error.ts'
import { findFeed } from '../../feeds/feed-choice.ts'
import { isObject } from '../../json/json.ts'
import type { Session } from '../../store/store.ts'

/**
 * Reads the payload filter of a feed: a JSON object, in Base64.
 *
 * @param text - As the query holds it.
 * @throws {ApiError} It is not that.
 */
export function parsePayloadFilter(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined
  const value = tryParse(Buffer.from(text, 'base64').toString('utf8'))
  if (!isObject(value)) throw invalid('payload', 'must be a JSON object in Base64')
  return value
}

/**
 * Reads a filter that is a JSON object in a text.
 *
 * @param field - The name of the field, for the error.
 * @param text - As the query or the body holds it.
 * @throws {ApiError} It is not that.
 */
export function parseDataFilter(field: string, text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined
  const value = tryParse(text)
  if (!isObject(value)) throw invalid(field, 'must be a JSON object')
  return value
}

/**
 * Returns the row ids of feeds.
 *
 * @param db - Where from.
 * @param environmentId - Row id of the environment.
 * @param identifiers - The identifiers; `undefined` for every message, of a feed or not.
 * @throws {ApiError} 404 for a feed that does not exist.
 */
export async function findFeedIds(
  db: Session,
  environmentId: string,
  identifiers: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (identifiers === undefined) return undefined
  const ids: string[] = []
  for (const name of identifiers) {
    const id = await findFeed(db, environmentId, name)
    if (id === undefined) throw notFound('Feed', name)
    ids.push(id)
  }
  return ids
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
