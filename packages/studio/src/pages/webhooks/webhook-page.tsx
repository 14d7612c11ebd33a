import { KeyRound, Power, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '../../api/generated/resources.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { DeleteResource, type ResourceKind, ResourcePage } from '../../resource/resource-page.tsx'
import { useRead, useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointStatus } from './endpoint-status.tsx'
import { endpointFields, toEndpointBody, toEndpointValues } from './event-types.ts'
import { SecretDialog } from './secret-dialog.tsx'

const path = '/v1/webhook-endpoints'
const readEveryMs = 5000
const kind: ResourceKind = { noun: 'endpoint', list: { to: '/webhooks', text: 'Webhooks' } }

/** Edits a webhook endpoint, and shows its deliveries. */
export function WebhookPage(): ReactNode {
  const { endpointId = '' } = usePathNames<{ endpointId: string }>()
  const read = useRead<WebhookEndpoint>(`${path}/${encodeURIComponent(endpointId)}`, { everyMs: readEveryMs })
  return (
    <ResourcePage kind={kind} title="Endpoint" read={read}>
      {(endpoint) => <Loaded key={endpoint._id} endpoint={endpoint} />}
    </ResourcePage>
  )
}

function Loaded({ endpoint }: { readonly endpoint: WebhookEndpoint }): ReactNode {
  const { _id, url, description, disabledReason } = endpoint
  const own = `${path}/${_id}`
  return (
    <Page
      title={description || url}
      trail={[kind.list]}
      aside={<EndpointStatus {...endpoint} />}
      actions={
        <>
          <DeleteResource
            needs="administer"
            kind={kind}
            name={description || url}
            path={own}
            touches={[path]}
            consequence="Its deliveries are deleted too. Events that are waiting for it are never sent."
          />
          <RotateButton path={own} />
          <ActiveButton endpoint={endpoint} path={own} />
          <TestButton path={own} />
        </>
      }
    >
      {disabledReason !== undefined && (
        <Notice tone="bad" title="The service has disabled this endpoint">
          {disabledReason}
        </Notice>
      )}
      <DeliveryList endpointId={_id} />
      <Panel title="Settings">
        <ResourceForm
          needs="administer"
          failure="Couldn't save the endpoint"
          fields={endpointFields}
          initial={toEndpointValues(endpoint)}
          toRequest={(values) => ({ method: 'PATCH', path: own, body: toEndpointBody(values) })}
          touches={[path]}
        />
      </Panel>
    </Page>
  )
}

function TestButton({ path: own }: { readonly path: string }): ReactNode {
  const send = useSend<WebhookDelivery>([own])
  const onSend = (): void =>
    send.mutate(
      { method: 'POST', path: `${own}/test` },
      {
        onSuccess: () => toast('A test event is on its way'),
        onError: (error) => toast("Couldn't send a test event", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Button needs="edit" icon={<Send size={15} />} busy={send.isPending} onClick={onSend}>
      Send test event
    </Button>
  )
}

interface ActiveButtonProps {
  readonly endpoint: WebhookEndpoint
  readonly path: string
}

function ActiveButton({ endpoint: { active }, path: own }: ActiveButtonProps): ReactNode {
  const send = useSend<WebhookEndpoint>([path])
  const onChange = (): void =>
    send.mutate(
      { method: 'PATCH', path: own, body: { active: !active } },
      {
        onSuccess: () => toast(active ? 'The endpoint is disabled' : 'The endpoint is enabled'),
        onError: (error) => toast("Couldn't change the endpoint", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Button needs="administer" icon={<Power size={15} />} busy={send.isPending} onClick={onChange}>
      {active ? 'Disable' : 'Enable'}
    </Button>
  )
}

function RotateButton({ path: own }: { readonly path: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button needs="administer" icon={<KeyRound size={15} />} onClick={() => setOpen(true)}>
        Rotate secret
      </Button>
      {isOpen && (
        <SecretDialog
          title="Rotate the signing secret?"
          verb="Rotate"
          failure="Couldn't rotate the secret"
          done="The secret was rotated"
          path={`${own}/rotate-secret`}
          fields={[{ name: 'endNow', label: 'Revoke the current secret now', kind: 'switch', isWide: true }]}
          toBody={({ endNow = false }) => ({ endNow })}
          onClose={() => setOpen(false)}
        >
          <p>Events are also signed with the current secret for another 24 hours, unless you revoke it now.</p>
        </SecretDialog>
      )}
    </>
  )
}
