import { Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { AddressState } from '../../session/address.ts'
import { useBridge } from '../../session/bridge.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import style from './run-filters.module.css'
import { textOf } from './run-status.tsx'

/** What runs are filtered by, as it stands in the address. */
export const filterNames: readonly string[] = ['search', 'status', 'workflowId', 'subscriberId', 'transactionId']

const statuses = ['running', 'completed', 'failed', 'canceled', 'merged'] as const
const typingMs = 250

/** Asks which runs are shown. */
export function RunFilters({ address }: { readonly address: AddressState }): ReactNode {
  const bridge = useBridge()
  const workflows = bridge.data?.workflows ?? []
  const fixed = ['subscriberId', 'transactionId'].filter((name) => address.get(name) !== undefined)
  return (
    <search className={style['filters']} aria-label="Runs">
      <SearchField address={address} />
      <SelectField
        label="Status"
        hideLabel
        value={address.get('status') ?? ''}
        options={[
          { value: '', text: 'All statuses' },
          ...statuses.map((status) => ({ value: status, text: textOf(status) })),
        ]}
        onChange={(status) => address.choose({ status })}
      />
      <SelectField
        label="Workflow"
        hideLabel
        value={address.get('workflowId') ?? ''}
        options={[
          { value: '', text: 'All workflows' },
          ...workflows.map(({ workflowId, name }) => ({ value: workflowId, text: name ?? workflowId })),
        ]}
        onChange={(workflowId) => address.choose({ workflowId })}
      />
      {fixed.map((name) => (
        <Button key={name} icon={<X size={14} />} onClick={() => address.choose({ [name]: undefined })}>
          {name === 'subscriberId' ? 'Subscriber' : 'Transaction'} <code>{address.get(name)?.slice(0, 24)}</code>
        </Button>
      ))}
    </search>
  )
}

/** What is typed reaches the address after a moment of silence. */
function SearchField({ address }: { readonly address: AddressState }): ReactNode {
  const search = address.get('search') ?? ''
  const [typed, setTyped] = useState(search)
  const { choose } = address
  useEffect(() => setTyped(search), [search])
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => choose({ search: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, search, choose])
  return (
    <TextField
      label="Search runs"
      hideLabel
      type="search"
      placeholder="Subscriber, workflow or transaction"
      icon={<Search size={14} />}
      maxLength={200}
      value={typed}
      onChange={setTyped}
    />
  )
}
