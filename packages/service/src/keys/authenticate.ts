import { ApiError } from '../api/api-error.ts'
import { createQueryKey, runPrepared } from '../store/prepared.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { hashKey } from './hash-key.ts'

const environmentOfKeyQuery = createQueryKey('environment of a key')

/**
 * Returns the environment of a request's secret key. The key is looked up for every request, so that a replaced key is
 * invalid at once in every process on the database.
 *
 * @throws {ApiError} 401
 * @source service-api.md#authentication
 */
export function authenticate(db: Session, header: string | undefined): Promise<EnvironmentRow> {
  return findByKeyHash(db, hashKey(readSecret(header)))
}

/**
 * Returns the secret key in the header `Authorization`.
 *
 * @throws {ApiError} 401
 */
export function readSecret(header: string | undefined): string {
  if (header === undefined || header === '') throw new ApiError(401, 'Missing authorization header')
  const [scheme = '', ...rest] = header.split(' ')
  if (scheme !== 'ApiKey') {
    const quotedScheme = /^[A-Za-z]{1,20}$/.test(scheme) && rest.length > 0 ? ` "${scheme}"` : ''
    throw new ApiError(
      401,
      `Invalid authentication scheme${quotedScheme}; send "ApiKey" and the secret key of an environment.`,
    )
  }
  const [secret] = rest
  if (rest.length !== 1 || !secret) throw new ApiError(401, 'Send "ApiKey", one space and the secret key.')
  return secret
}

/**
 * Returns the environment of a secret key.
 *
 * @param hash - The hash of the key.
 * @throws {ApiError} 401
 */
export async function findByKeyHash(db: Session, hash: string): Promise<EnvironmentRow> {
  const { rows } = await runPrepared(db, {
    key: environmentOfKeyQuery,
    values: [hash],
    build: () =>
      db
        .selectFrom('apiKeys')
        .innerJoin('environments', 'environments.id', 'apiKeys.environmentId')
        .selectAll('environments')
        .where('apiKeys.hash', '=', hash),
  })
  const [environment] = rows
  if (!environment) throw new ApiError(401, 'API Key not found')
  return environment
}
