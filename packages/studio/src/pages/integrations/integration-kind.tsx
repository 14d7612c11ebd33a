import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { Integration, Provider } from '../../api/generated/resources.ts'
import type { ResourceKind } from '../../resource/resource-page.tsx'
import { useRead } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'

/** Texts and links of integrations. */
export const integrationKind: ResourceKind = {
  noun: 'integration',
  list: { to: '/integrations', text: 'Integrations' },
}

/** Loads the providers that the service supports. */
export function useProviders(): UseQueryResult<readonly Provider[], ApiFailure> {
  return useRead<readonly Provider[]>('/v1/studio/providers')
}

/** Shows a channel with its icon. */
export function ChannelName({ channel }: { readonly channel: string }): ReactNode {
  const { text, icon: Icon } = stepKind(channel)
  return <Badge icon={<Icon size={12} aria-hidden />}>{text}</Badge>
}

/** Shows whether an integration is in use. */
export function IntegrationStatus({ active, primary, kind }: Integration): ReactNode {
  return (
    <>
      <Badge dot tone={active ? 'good' : 'neutral'}>
        {active ? 'Active' : 'Inactive'}
      </Badge>
      {primary && <Badge tone="accent">Primary</Badge>}
      {kind === 'agent' && <Badge>Agent</Badge>}
    </>
  )
}
