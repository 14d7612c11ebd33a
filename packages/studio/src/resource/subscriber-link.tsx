import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { toPathName } from '../ui/path-names.ts'

export interface SubscriberLinkProps {
  readonly subscriberId: string | null | undefined
  /** The text without a subscriber. @default '–' */
  readonly otherwise?: string
}

/** Links to a subscriber by its id. */
export function SubscriberLink({ subscriberId, otherwise = '–' }: SubscriberLinkProps): ReactNode {
  if (subscriberId === null || subscriberId === undefined) return otherwise
  return <Link to={`/subscribers/${toPathName(subscriberId)}`}>{subscriberId}</Link>
}
