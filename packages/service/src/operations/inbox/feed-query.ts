import { isObject, type JsonObject, parseJson } from '@trestle/protocol'
import { invalid, notFound } from '../../api/api-error.ts'
import { findFeed } from '../../feeds/feed-choice.ts'
import type { Session } from '../../store/store.ts'

/**
 * Parses the payload filter of a feed: a JSON object in Base64.
 *
 * @throws {ApiError} 422 if it is anything else.
 */
export function parsePayloadFilter(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined
  const value = parseJson(Buffer.from(text, 'base64').toString('utf8'))
  if (!isObject(value)) throw invalid('payload', 'must be a JSON object in Base64')
  return value
}

/**
 * Parses a filter that is a JSON object in a string.
 *
 * @param field - The name of the field, for the error message.
 * @throws {ApiError} 422 if it is anything else.
 */
export function parseDataFilter(field: string, text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined
  const value = parseJson(text)
  if (!isObject(value)) throw invalid(field, 'must be a JSON object')
  return value
}

/**
 * Returns the row ids of feeds.
 *
 * @param environmentId - Row id of the environment.
 * @param identifiers - Feed identifiers; `undefined` for messages with or without a feed.
 * @throws {ApiError} 404 if a feed does not exist.
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
