import type { ReactNode } from 'react'
import { safeAddress } from './safe-address.ts'

/** What a link out of the studio is given. */
export interface OutsideLinkProps {
  /** Where it leads, as somebody else wrote it. */
  readonly to: unknown
  /** How it looks. */
  readonly className?: string | undefined
  /** Its text. */
  readonly children: ReactNode
}

/** Leads out of the studio, in a tab of its own that knows nothing of this one. An unsafe address shows its text only. */
export function OutsideLink({ to, className, children }: OutsideLinkProps): ReactNode {
  const address = safeAddress(to)
  if (address === undefined) return <span className={className}>{children}</span>
  return (
    <a href={address} title={address} className={className} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}
