import type { ReactNode } from 'react'
import { safeAddress } from './safe-address.ts'

export interface OutsideLinkProps {
  /** The untrusted target. */
  readonly to: unknown
  /** The style. */
  readonly className?: string | undefined
  /** Its text. */
  readonly children: ReactNode
}

/** A link to another site, in a separate tab without access to this one. An unsafe URL is shown as text. */
export function OutsideLink({ to, className, children }: OutsideLinkProps): ReactNode {
  const address = safeAddress(to)
  if (address === undefined) return <span className={className}>{children}</span>
  return (
    <a href={address} data-tip={address} className={className} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}
