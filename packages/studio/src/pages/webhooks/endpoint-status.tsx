import type { ReactNode } from 'react'
import type { WebhookEndpoint } from '../../api/generated/resources.ts'
import { BadgeRow } from '../../resource/resource-list.tsx'
import { Badge } from '../../ui/badge.tsx'

/** Shows whether an endpoint receives events, and whether it is failing. */
export function EndpointStatus({ active, failingSince }: Pick<WebhookEndpoint, 'active' | 'failingSince'>): ReactNode {
  return (
    <BadgeRow>
      <Badge dot tone={active ? 'good' : 'neutral'}>
        {active ? 'Active' : 'Disabled'}
      </Badge>
      {failingSince !== undefined && <Badge tone="bad">Failing</Badge>}
    </BadgeRow>
  )
}
