import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '../api/api-failure.ts'
import type { StudioBridge } from '../api/generated/resources.ts'
import { useRead } from './queries.ts'
import { useSession } from './session.tsx'

const path = '/v1/studio/bridge'

/** Reads what the service knows of the environment's bridge: its workflows and what is wrong. */
export function useBridge(): UseQueryResult<StudioBridge, ApiFailure> {
  return useRead<StudioBridge>(path, { everyMs: 5000 })
}

/** The bridge that is read. */
export interface SyncTarget {
  /** Its address; that of the last sync by default. */
  readonly bridgeUrl?: string
}

/** Asks the bridge again for its workflows. A bridge that refuses is told in the state. */
export function useSync(): UseMutationResult<StudioBridge, ApiFailure, SyncTarget> {
  const { api, environment } = useSession()
  const client = useQueryClient()
  return useMutation<StudioBridge, ApiFailure, SyncTarget>({
    mutationFn: (body) => api.send<StudioBridge>({ method: 'POST', path: `${path}/sync`, body }),
    onSuccess: (state) => client.setQueryData([environment.name, path, {}], state),
  })
}
