import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { toPathName } from '../../ui/path-names.ts'

/** Links to a subscriber; shows another text without one. */
export function SubscriberLink({
  subscriberId,
  otherwise,
}: {
  readonly subscriberId: string | null
  readonly otherwise: string
}): ReactNode {
  if (subscriberId === null) return otherwise
  return <Link to={`/subscribers/${toPathName(subscriberId)}`}>{subscriberId}</Link>
}
