import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Integration, Provider } from '../../api/generated/resources.ts'
import { integrationsPath as path } from '../../api/list-paths.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { useAddress } from '../../session/address.ts'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import { integrationFields, toCredentialForm, toIntegrationBody } from './credential-form.ts'
import { integrationKind as kind, useProviders } from './integration-kind.tsx'
import style from './integrations.module.css'

/** Adds an integration: first the provider, then its credentials. */
export function NewIntegrationPage(): ReactNode {
  const { data: providers, error, refetch } = useProviders()
  const chosen = useAddress().get('provider')
  const provider = providers?.find(({ providerId }) => providerId === chosen)
  if (provider) return <NewForm key={provider.providerId} provider={provider} />
  return (
    <Page title="New integration" trail={[kind.list]} lead="Choose the provider that delivers the messages.">
      {providers && <Choices providers={providers} />}
      {!providers && error && (
        <Failure title="Couldn't load the providers" error={error} onRetry={() => void refetch()} />
      )}
      {!providers && !error && (
        <Panel>
          <Skeleton rows={8} height={28} />
        </Panel>
      )}
    </Page>
  )
}

function Choices({ providers }: { readonly providers: readonly Provider[] }): ReactNode {
  const channels = [...new Set(providers.map(({ channel }) => channel))]
  return channels.map((channel) => {
    const { text, icon: Icon } = stepKind(channel)
    return (
      <Panel
        key={channel}
        title={
          <span className={style['channel']}>
            <Icon size={15} aria-hidden />
            {text}
          </span>
        }
      >
        <ul className={style['choices']}>
          {providers
            .filter((one) => one.channel === channel)
            .map(({ providerId, name }) => (
              <li key={providerId}>
                <Link
                  to={`/integrations/new?provider=${encodeURIComponent(providerId)}`}
                  className={style['choice'] ?? ''}
                >
                  {name}
                  <ChevronRight size={15} aria-hidden />
                </Link>
              </li>
            ))}
        </ul>
      </Panel>
    )
  })
}

function NewForm({ provider }: { readonly provider: Provider }): ReactNode {
  const [, navigate] = useLocation()
  const { providerId, channel, name } = provider
  const form = toCredentialForm(provider)
  return (
    <Page title={`New ${name} integration`} trail={[kind.list, { to: '/integrations/new', text: 'New integration' }]}>
      <Panel title="Settings">
        <ResourceForm
          needs="administer"
          isNew
          verb="Add"
          failure="Couldn't add the integration"
          fields={[integrationFields.name, ...form.fields, integrationFields.active, integrationFields.check]}
          initial={{ name, active: true, check: true, ...form.initial }}
          toRequest={(values) => ({
            method: 'POST',
            path,
            body: { providerId, channel, ...toIntegrationBody(values, form) },
          })}
          touches={[path]}
          onSaved={({ _id }: Integration) => navigate(`/integrations/${_id}`)}
        />
      </Panel>
    </Page>
  )
}
