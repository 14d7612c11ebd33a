import { useEffect, useSyncExternalStore } from 'react'
import { request } from '../api/api.ts'
import { reachability } from '../api/reachability.ts'

const path = '/v1/health-check'
const everyMs = 1500
const patienceMs = 2000

/** Returns whether the service responded to the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(reachability.subscribe, reachability.isReachable)
}

/**
 * Checks regularly whether the service responds while the page is visible, so that a service that has stopped,
 * or accepts connections without responding, is reported within five seconds.
 */
export function useHeartbeat(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasEnded = false
    const sendHeartbeat = async (): Promise<void> => {
      // A failure is recorded by the request.
      if (!document.hidden) await request(path, { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined)
      if (!hasEnded) timer = setTimeout(() => void sendHeartbeat(), everyMs)
    }
    timer = setTimeout(() => void sendHeartbeat(), everyMs)
    return () => {
      hasEnded = true
      clearTimeout(timer)
    }
  }, [])
}
