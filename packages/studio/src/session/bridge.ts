import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '../api/api-failure.ts'
import type { StudioBridge } from '../api/generated/resources.ts'
import { useRead } from './queries.ts'
import { useSession } from './session.tsx'

const path = '/v1/studio/bridge'

/** Loads the status of the environment's bridge: its workflows and problems. */
export function useBridge(): UseQueryResult<StudioBridge, ApiFailure> {
  return useRead<StudioBridge>(path)
}

/** The bridge to sync. */
export interface SyncTarget {
  /** The bridge URL. @default the URL of the last sync */
  readonly bridgeUrl?: string
}

/** Syncs the bridge. A bridge that rejects the call is reported in the bridge status. */
export function useSync(): UseMutationResult<StudioBridge, ApiFailure, SyncTarget> {
  const { api, environment } = useSession()
  const client = useQueryClient()
  return useMutation<StudioBridge, ApiFailure, SyncTarget>({
    mutationFn: (body) => api.send<StudioBridge>({ method: 'POST', path: `${path}/sync`, body }),
    onSuccess: (state) => client.setQueryData([environment.id, path, {}], state),
  })
}
