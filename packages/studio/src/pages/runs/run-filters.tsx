import { messageTypes } from '@trestle/protocol'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SearchInput } from '../../resource/search-box.tsx'
import { type ShownStatus, textOf } from '../../runs/run-status.tsx'
import type { AddressState } from '../../session/address.ts'
import { useBridge } from '../../session/bridge.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceMenu } from '../../ui/fields/choice-menu.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import { MoreFilters } from './more-filters.tsx'
import style from './run-filters.module.css'
import { filterNames, ranges } from './run-query.ts'

const statuses: readonly ShownStatus[] = ['running', 'completed', 'warning', 'failed', 'canceled', 'merged']
const custom = 'custom'

/** The filters of the run list. */
export function RunFilters({ address }: { readonly address: AddressState }): ReactNode {
  const bridge = useBridge()
  const workflows = bridge.data?.workflows ?? []
  return (
    <search className={style['bar']} aria-label="Runs">
      <div className={style['filters']}>
        <SearchInput label="Search runs" placeholder="Name, email, ID, workflow or transaction" />
        <ChoiceMenu
          label="Status"
          all="All statuses"
          values={address.getAll('status')}
          options={statuses.map((status) => ({ value: status, text: textOf(status) }))}
          onChange={(status) => address.choose({ status })}
        />
        <ChoiceMenu
          label="Workflow"
          all="All workflows"
          values={address.getAll('workflowId')}
          options={workflows.map(({ workflowId, name }) => ({ value: workflowId, text: name ?? workflowId }))}
          onChange={(workflowId) => address.choose({ workflowId })}
        />
        <ChoiceMenu
          label="Channel"
          all="All channels"
          values={address.getAll('channel')}
          options={messageTypes.map((type) => ({ value: type, text: stepKind(type).text }))}
          onChange={(channel) => address.choose({ channel })}
        />
        <RangeField address={address} />
        <MoreFilters address={address} />
      </div>
      <Chips address={address} />
    </search>
  )
}

function RangeField({ address }: { readonly address: AddressState }): ReactNode {
  const [isCustom, setCustom] = useState(address.get('from') !== undefined || address.get('to') !== undefined)
  const range = address.get('range') ?? ''
  return (
    <>
      <SelectField
        label="Started"
        hideLabel
        value={range === '' && isCustom ? custom : range}
        options={[
          { value: '', text: 'Any time' },
          ...Object.entries(ranges).map(([value, { text }]) => ({ value, text })),
          { value: custom, text: 'Custom…' },
        ]}
        onChange={(value) => {
          setCustom(value === custom)
          address.choose({ range: value === custom ? undefined : value, from: undefined, to: undefined })
        }}
      />
      {isCustom && range === '' && (
        <div className={style['custom']}>
          {(['from', 'to'] as const).map((name) => (
            <TextField
              key={name}
              label={name === 'from' ? 'From' : 'To'}
              type="datetime-local"
              value={address.get(name) ?? ''}
              onChange={(value) => address.choose({ [name]: value })}
            />
          ))}
        </div>
      )}
    </>
  )
}

const chips = {
  subscriberId: 'Subscriber',
  transactionId: 'Transaction',
  topicKey: 'Topic',
  errorCode: 'Error',
} as const

/** Shows filters set by links, each with a button that removes it, and a button that removes all. */
function Chips({ address }: { readonly address: AddressState }): ReactNode {
  const names = Object.entries(chips).filter(([name]) => address.get(name) !== undefined)
  if (!filterNames.some((name) => address.getAll(name).length > 0)) return undefined
  return (
    <div className={style['chips']}>
      {names.map(([name, text]) => (
        <Button key={name} small icon={<X size={14} />} onClick={() => address.choose({ [name]: undefined })}>
          {text} <code>{address.get(name)?.slice(0, 40)}</code>
        </Button>
      ))}
      <Button
        small
        variant="quiet"
        onClick={() => address.choose(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
      >
        Clear filters
      </Button>
    </div>
  )
}
