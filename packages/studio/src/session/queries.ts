import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Query, SendRequest } from '../api/api.ts'
import type { ApiFailure } from '../api/api-failure.ts'
import { useSession } from './session.tsx'
import { isTouched } from './touched-by.ts'

/** Options of a query. */
export interface ReadOptions<T = unknown> {
  /** Query parameters. */
  readonly query?: Query | undefined
  /** Whether the query is enabled. @default true */
  readonly enabled?: boolean | undefined
  /** The polling interval, in milliseconds, which can depend on the last response. @default no polling */
  readonly everyMs?: number | ((data: T | undefined) => number | false) | undefined
  /** Whether to show the result of previous parameters until the new one arrives. @default false */
  readonly keep?: boolean | undefined
}

/**
 * Fetches from the service API, and refetches when invalidated.
 *
 * @param path - The path with its version, such as `/v1/notifications`.
 * @param options - Options of the query.
 */
export function useRead<T>(path: string, options: ReadOptions<T> = {}): UseQueryResult<T, ApiFailure> {
  const { api, environment } = useSession()
  const { query, enabled = true, everyMs, keep = false } = options
  return useQuery<T, ApiFailure>({
    queryKey: [environment.id, path, query ?? {}],
    queryFn: ({ signal }) => api.read<T>(path, { query, signal }),
    enabled,
    refetchInterval: ({ state: { data } }) => (typeof everyMs === 'function' ? everyMs(data) : (everyMs ?? false)),
    ...(keep && { placeholderData: (previous: T | undefined) => previous as never }),
  })
}

/**
 * Sends changes to the service API, and refetches the affected data.
 *
 * @param touches - Prefixes of the paths to refetch.
 */
export function useSend<T = unknown>(touches: readonly string[] = []): UseMutationResult<T, ApiFailure, SendRequest> {
  const { api } = useSession()
  const invalidate = useInvalidate()
  return useMutation<T, ApiFailure, SendRequest>({
    mutationFn: (request) => api.send<T>(request),
    onSuccess: () => invalidate(touches),
  })
}

/** Returns a function that refetches everything under the given paths. */
export function useInvalidate(): (paths: readonly string[]) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    (paths) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [, path, query] }) => typeof path === 'string' && isTouched({ path, query }, paths),
      }),
    [client],
  )
}
