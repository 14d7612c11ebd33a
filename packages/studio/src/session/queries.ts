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

/** How something is read. */
export interface ReadOptions {
  /** Parameters of the address. */
  readonly query?: Query | undefined
  /** Whether it is read at all. @default true */
  readonly enabled?: boolean | undefined
  /** Reads it again after so many milliseconds; never by default. */
  readonly everyMs?: number | undefined
  /** Keeps showing the answer of other parameters until the new one is there. @default false */
  readonly keep?: boolean | undefined
}

/**
 * Reads from the service's API, and again whenever it is invalidated.
 *
 * @param path - Path with its version, such as `/v1/notifications`.
 * @param options - How it is read.
 */
export function useRead<T>(path: string, options: ReadOptions = {}): UseQueryResult<T, ApiFailure> {
  const { api, environment } = useSession()
  const { query, enabled = true, everyMs, keep = false } = options
  return useQuery<T, ApiFailure>({
    queryKey: [environment.name, path, query ?? {}],
    queryFn: ({ signal }) => api.read<T>(path, { query, signal }),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keep && { placeholderData: (previous: T | undefined) => previous as never }),
  })
}

/**
 * Sends changes to the service's API, and reads again what they touch.
 *
 * @param touches - Paths whose answers change with it; all that begin with one of them are read again.
 */
export function useSend<T = unknown>(touches: readonly string[] = []): UseMutationResult<T, ApiFailure, SendRequest> {
  const { api } = useSession()
  const invalidate = useInvalidate()
  return useMutation<T, ApiFailure, SendRequest>({
    mutationFn: (request) => api.send<T>(request),
    onSuccess: () => invalidate(touches),
  })
}

/** Returns a function that reads again whatever begins with one of some paths. */
export function useInvalidate(): (paths: readonly string[]) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    (paths) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [, path] }) =>
          typeof path === 'string' && paths.some((touched) => path === touched || path.startsWith(`${touched}/`)),
      }),
    [client],
  )
}
