import { useSyncExternalStore } from 'react'
import { reachability } from '../api/reachability.ts'

/** Returns whether the service responded to the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(reachability.subscribe, reachability.isReachable)
}
