import { Plus, Trash2, Waypoints } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Query } from '../../api/api.ts'
import type { DomainRoute } from '../../api/domains.ts'
import type { CursorPage } from '../../api/page.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { ConfirmButton } from '../../ui/overlay/confirm-button.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import style from './domains.module.css'

const pageSize = 100

export interface DomainRoutesProps {
  /** The name of the domain. */
  readonly domain: string
  /** The API path of the domain's routes. */
  readonly path: string
}

/** Shows the routes of a domain. */
export function DomainRoutes({ domain, path }: DomainRoutesProps): ReactNode {
  const [isAdding, add] = useState(false)
  const [cursor, turn] = useState<Query>({})
  const query = { ...cursor, limit: pageSize }
  const { data, error, refetch } = useRead<CursorPage<DomainRoute>>(path, { query, keep: true })
  const columns: readonly Column<DomainRoute>[] = [
    { key: 'address', title: 'Address', show: ({ address }) => <code>{`${address}@${domain}`}</code> },
    { key: 'to', title: 'Delivered to', show: (route) => <Destination {...route} /> },
    {
      key: 'delete',
      title: 'Delete',
      end: true,
      show: ({ address }) => <DeleteRoute address={address} domain={domain} path={path} />,
    },
  ]
  return (
    <Panel
      title="Routes"
      flush
      actions={
        <Button needs="administer" small icon={<Plus size={14} />} onClick={() => add(true)}>
          New route
        </Button>
      }
    >
      {error && <Failure title="Couldn't load the routes" error={error} onRetry={() => void refetch()} />}
      {data && (
        <CursorList
          page={data}
          // Not in the URL, which has the page of the received mail.
          address={{ isFirst: Object.keys(cursor).length === 0, turn }}
          nouns={['route', 'routes']}
          empty={
            <Empty icon={<Waypoints size={20} />} title="No routes">
              Mail is rejected until an address has a route.
            </Empty>
          }
        >
          <Table label="Routes" columns={columns} rows={data.data} keyOf={({ _id }) => _id} />
        </CursorList>
      )}
      {isAdding && <NewRoute path={path} onClose={() => add(false)} />}
    </Panel>
  )
}

function Destination({ type, agentId = '', webhookUrl }: DomainRoute): ReactNode {
  if (type === 'webhook') return <span className={style['subject']}>{webhookUrl}</span>
  return (
    <>
      Agent <Link to={`/agents/${toPathName(agentId)}`}>{agentId}</Link>
    </>
  )
}

interface DeleteRouteProps extends DomainRoutesProps {
  /** The part before the @. */
  readonly address: string
}

function DeleteRoute({ address, domain, path }: DeleteRouteProps): ReactNode {
  const remove = useSend([path])
  const onDelete = (close: () => void): void =>
    remove.mutate(
      { method: 'DELETE', path: `${path}/${encodeURIComponent(address)}` },
      {
        onSuccess: close,
        onError: (error) => toast("Couldn't delete the route", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <ConfirmButton
      needs="administer"
      small
      variant="quiet"
      aria-label={`Delete the route for ${address}`}
      icon={<Trash2 size={14} />}
      question={`Delete the route for ${address}@${domain}?`}
      consequence="Mail to it is rejected, unless the route * exists."
      verb="Delete"
      busy={remove.isPending}
      onConfirm={onDelete}
    />
  )
}

const types = [
  { value: 'webhook', text: 'Webhook' },
  { value: 'agent', text: 'Agent' },
]

function NewRoute({ path, onClose }: { readonly path: string; onClose(): void }): ReactNode {
  const [address, setAddress] = useState('')
  const [type, setType] = useState('webhook')
  const [target, setTarget] = useState('')
  const create = useSend([path])
  const wrong = create.error?.details.fields ?? {}
  const field = type === 'webhook' ? 'webhookUrl' : 'agentId'
  const onSubmit = (): void =>
    create.mutate({ method: 'POST', path, body: { address, type, [field]: target } }, { onSuccess: onClose })
  return (
    <FormDialog
      title="New route"
      verb="Add"
      needs="administer"
      request={create}
      failure="Couldn't add the route"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        mono
        required
        hint="The part before the @, or * for all other addresses"
        value={address}
        error={wrong['address']?.join(' ')}
        onChange={setAddress}
      />
      <SelectField label="Deliver to" value={type} options={types} onChange={setType} />
      <TextField
        label={type === 'webhook' ? 'Webhook URL' : 'Agent'}
        mono
        required
        value={target}
        error={wrong[field]?.join(' ')}
        onChange={setTarget}
      />
    </FormDialog>
  )
}
