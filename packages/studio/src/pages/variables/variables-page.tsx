import { Braces, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { EnvironmentVariable } from '../../api/generated/resources.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ConfirmButton } from '../../ui/overlay/confirm-button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { VariableForm } from './variable-form.tsx'
import style from './variables.module.css'

const path = '/v1/environment-variables'

/** Lists and changes the variables that are sent to the bridge. */
export function VariablesPage(): ReactNode {
  const { environment } = useSession()
  const [edited, edit] = useState<EnvironmentVariable | 'new' | undefined>(undefined)
  const read = useRead<readonly EnvironmentVariable[]>(path)
  return (
    <Page
      title="Variables"
      lead={
        <>
          Values in {environment.name}, available to your code as <code>env</code>, and to controls as{' '}
          <code>{'{{ env.KEY }}'}</code>.
        </>
      }
      actions={
        <Button needs="administer" variant="primary" icon={<Plus size={15} />} onClick={() => edit('new')}>
          New variable
        </Button>
      }
    >
      <LoadedPanel what="the variables" read={read} rows={4}>
        {(variables) =>
          variables.length === 0 ? (
            <Empty icon={<Braces size={20} />} title="No variables yet">
              For values that differ between environments: URLs, API keys, flags.
            </Empty>
          ) : (
            <Table
              label="Variables"
              columns={columnsOf(environment.id, edit)}
              rows={variables}
              keyOf={({ _id }) => _id}
            />
          )
        }
      </LoadedPanel>
      {edited !== undefined && (
        <VariableForm variable={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
    </Page>
  )
}

function columnsOf(
  environmentId: string,
  edit: (variable: EnvironmentVariable) => void,
): readonly Column<EnvironmentVariable>[] {
  return [
    { key: 'key', title: 'Key', show: ({ key }) => <code className={style['key']}>{key}</code> },
    {
      key: 'value',
      title: 'Value',
      show: (variable) => <Value variable={variable} environmentId={environmentId} />,
    },
    { key: 'at', title: 'Changed', wideOnly: true, end: true, show: ({ updatedAt }) => <TimeText at={updatedAt} /> },
    {
      key: 'tools',
      title: 'Actions',
      end: true,
      show: (variable) => (
        <span className={style['tools']}>
          <Button
            needs="administer"
            small
            variant="quiet"
            aria-label={`Change ${variable.key}`}
            icon={<Pencil size={14} />}
            onClick={() => edit(variable)}
          />
          <DeleteButton variable={variable} />
        </span>
      ),
    },
  ]
}

function Value({
  variable,
  environmentId,
}: {
  readonly variable: EnvironmentVariable
  readonly environmentId: string
}): ReactNode {
  const value = variable.values.find(({ _environmentId }) => _environmentId === environmentId)?.value
  if (value === undefined) return <span className={style['none']}>Not set in this environment</span>
  return variable.isSecret ? <Badge>Secret</Badge> : <code className={style['key']}>{value}</code>
}

function DeleteButton({ variable }: { readonly variable: EnvironmentVariable }): ReactNode {
  const { key } = variable
  const remove = useSend([path])
  const onRemove = (close: () => void): void =>
    remove.mutate(
      { method: 'DELETE', path: `${path}/${encodeURIComponent(key)}` },
      {
        onSuccess: close,
        onError: (error) => toast("Couldn't delete the variable", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <ConfirmButton
      needs="administer"
      small
      variant="quiet"
      aria-label={`Delete ${key}`}
      icon={<Trash2 size={14} />}
      question={`Delete ${key}?`}
      consequence={<Usage variableKey={key} />}
      verb="Delete"
      busy={remove.isPending}
      onConfirm={onRemove}
    />
  )
}

/** Loaded when the dialog opens. */
function Usage({ variableKey }: { readonly variableKey: string }): ReactNode {
  const { data, error } = useRead<{ workflows: readonly { name: string }[] }>(
    `${path}/${encodeURIComponent(variableKey)}/usage`,
  )
  const names = data?.workflows.map(({ name }) => name).join(', ') ?? ''
  return (
    <>
      {names !== '' && `Controls of ${names} use it. `}
      {error && `Whether controls use it is unknown: ${error.message} `}
      Its value in this environment is removed. Uses in your code are not known here.
    </>
  )
}
