import { type ReactNode, useEffect } from 'react'
import { followTogether } from './follow-together.ts'
import { useInvalidate } from './queries.ts'
import { createRefetcher } from './refetch.ts'
import { useSession } from './session.tsx'
import { touchedBy, touchedByAny } from './touched-by.ts'

/** Follows the environment's events while its children are mounted, and refetches the affected data. */
export function LiveEvents({ children }: { readonly children: ReactNode }): ReactNode {
  const { api, environment } = useSession()
  const invalidate = useInvalidate()

  useEffect(() => {
    const end = new AbortController()
    const again = createRefetcher(invalidate)
    void followTogether({
      name: `trestle.events.${environment.id}`,
      open: (signal) => api.open('/v1/studio/events', signal),
      receive: (event) => again.touch(touchedBy(event)),
      miss: () => again.touch(touchedByAny),
      signal: end.signal,
    })
    return () => {
      end.abort()
      again.end()
    }
  }, [api, environment.id, invalidate])

  return children
}
