import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Integration } from '../../api/generated/resources.ts'
import { integrationsPath as path } from '../../api/list-paths.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { Columns, DeleteResource, ResourcePage } from '../../resource/resource-page.tsx'
import { useRead, useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { integrationFields, toCredentialForm, toIntegrationBody, toValues } from './credential-form.ts'
import { ChannelName, IntegrationStatus, integrationKind as kind, useProviders } from './integration-kind.tsx'
import { TestPanel } from './test-panel.tsx'

/** Edits an integration, and sends a test message through it. */
export function IntegrationPage(): ReactNode {
  const { integrationId = '' } = usePathNames<{ integrationId: string }>()
  const { data: all, error, refetch } = useRead<readonly Integration[]>(path)
  const data = all?.find(({ _id }) => _id === integrationId)
  return (
    <ResourcePage kind={kind} title="Integration" read={{ data, error, refetch }} isMissing={all !== undefined}>
      {(integration) => <Loaded key={integration._id} integration={integration} />}
    </ResourcePage>
  )
}

function Loaded({ integration }: { readonly integration: Integration }): ReactNode {
  const { _id, name, identifier, providerId, channel = '', primary } = integration
  const provider = useProviders().data?.find((one) => one.providerId === providerId)
  const form = toCredentialForm(provider, integration.credentials)
  const own = `${path}/${_id}`
  const { name: nameField, identifier: idField, active, check } = integrationFields
  return (
    <Page
      title={name}
      trail={[kind.list]}
      aside={<IntegrationStatus {...integration} />}
      actions={
        <>
          <DeleteResource
            needs="administer"
            kind={kind}
            name={name}
            path={own}
            touches={[path]}
            consequence="Messages that wait for this provider fail. Later ones use another integration of the channel."
          />
          {!primary && channel !== '' && <PrimaryButton path={own} />}
        </>
      }
    >
      <Columns
        main={
          <Panel title="Settings">
            <ResourceForm
              needs="administer"
              failure="Couldn't save the integration"
              fields={[nameField, idField, ...form.fields, active, check]}
              initial={{ ...toValues(integration), ...form.initial }}
              toRequest={(values) => ({ method: 'PUT', path: own, body: toIntegrationBody(values, form) })}
              touches={[path]}
            />
          </Panel>
        }
        side={
          <>
            {provider && integration.kind !== 'agent' && <TestPanel integration={integration} />}
            {integration.reportsUrl !== undefined && <ReportsPanel url={integration.reportsUrl} />}
            <Panel title="About">
              <Facts
                facts={[
                  ['Provider', provider?.name ?? providerId],
                  ['Channel', channel !== '' && <ChannelName channel={channel} />],
                  ['Identifier', <Identifier key="id" text={identifier} label="Copy the identifier" />],
                  ['Created', integration.createdAt !== undefined && <TimeText at={integration.createdAt} />],
                ]}
              />
            </Panel>
          </>
        }
      />
    </Page>
  )
}

/** The address is entered at the provider, whose key is one of the credentials. */
function ReportsPanel({ url }: { readonly url: string }): ReactNode {
  return (
    <Panel title="Delivery reports">
      <p>The provider can send deliveries, opens, clicks and bounces to this address.</p>
      <Identifier text={url} label="Copy the address" />
    </Panel>
  )
}

function Identifier({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} label={label} />
    </>
  )
}

function PrimaryButton({ path: own }: { readonly path: string }): ReactNode {
  const send = useSend([path])
  const onSet = (): void =>
    send.mutate(
      { method: 'POST', path: `${own}/set-primary` },
      {
        onSuccess: () => toast('This integration is now the primary one'),
        onError: (error) => toast("Couldn't make it primary", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Button needs="administer" icon={<Star size={15} />} busy={send.isPending} onClick={onSet}>
      Set as primary
    </Button>
  )
}
