import { useSyncExternalStore } from 'react'
import { reachability } from '../api/reachability.ts'

/** Whether the service answered the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(reachability.subscribe, reachability.isReachable)
}
