import { messageTypes } from '@trestle/protocol'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AddressState } from '../../session/address.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './outbox.module.css'

/** The outbox filters in the URL. */
export const outboxFilters: readonly string[] = ['channel', 'read', 'recipient', 'transactionId']

const channels = messageTypes.filter((type) => type !== 'in_app')

/** Controls for the outbox filters. */
export function OutboxFilters({ address }: { readonly address: AddressState }): ReactNode {
  const fixed = ['recipient', 'transactionId'].filter((name) => address.get(name) !== undefined)
  return (
    <search className={style['filters']} aria-label="Outbox">
      <SelectField
        label="Channel"
        hideLabel
        value={address.get('channel') ?? ''}
        options={[
          { value: '', text: 'All channels' },
          ...channels.map((channel) => ({ value: channel, text: stepKind(channel).text })),
        ]}
        onChange={(channel) => address.choose({ channel })}
      />
      <SelectField
        label="Read or unread"
        hideLabel
        value={address.get('read') ?? ''}
        options={[
          { value: '', text: 'Read and unread' },
          { value: 'false', text: 'Unread' },
          { value: 'true', text: 'Read' },
        ]}
        onChange={(read) => address.choose({ read })}
      />
      {fixed.map((name) => (
        <Button key={name} icon={<X size={14} />} onClick={() => address.choose({ [name]: undefined })}>
          {name === 'recipient' ? 'Recipient' : 'Transaction'} <code>{address.get(name)?.slice(0, 24)}</code>
        </Button>
      ))}
    </search>
  )
}
