import type { ReactNode } from 'react'
import type { Domain } from '../../api/domains.ts'
import { Badge } from '../../ui/badge.tsx'
import style from './domains.module.css'

/** Shows whether a domain is verified, and whether its email is routed to the service. */
export function DomainStatus({ status, mxRecordConfigured }: Domain): ReactNode {
  return (
    <span className={style['badges']}>
      <Badge dot tone={status === 'verified' ? 'good' : 'warn'}>
        {status === 'verified' ? 'Verified' : 'Pending'}
      </Badge>
      {status === 'verified' && !mxRecordConfigured && <Badge tone="warn">No MX record</Badge>}
    </span>
  )
}
