import { type ReactNode, useId } from 'react'
import { useRead } from '../../session/queries.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import style from './trigger.module.css'

/** The recipient of a trigger. */
export interface Recipient {
  /** The kind of recipient: one subscriber, or all members of a topic. */
  readonly kind: 'subscriber' | 'topic'
  /** The subscriber id or the topic key. */
  readonly id: string
}

export interface RecipientFieldsProps {
  /** The recipient. */
  readonly recipient: Recipient
  /** Replaces the recipient. */
  onChange(recipient: Recipient): void
}

interface Named {
  readonly id: string
  readonly text: string
}

const listed = 100

/** Selects the recipient of a trigger; existing subscribers and topics are suggested. */
export function RecipientFields({ recipient, onChange }: RecipientFieldsProps): ReactNode {
  const { kind, id } = recipient
  const listId = useId()
  const options = useKnown(kind)
  const isNew = useIsNew(recipient, options)
  return (
    <div className={style['recipient']}>
      <Segments
        label="Send to"
        value={kind}
        onChange={(next) => onChange({ kind: next, id: next === 'subscriber' ? 'ada' : '' })}
        options={[
          { value: 'subscriber', text: 'Subscriber' },
          { value: 'topic', text: 'Topic' },
        ]}
      />
      <TextField
        label={kind === 'subscriber' ? 'Subscriber id' : 'Topic key'}
        value={id}
        onChange={(next) => onChange({ kind, id: next })}
        list={listId}
        autoComplete="off"
        mono
        hint={hintOf({ kind, isNew, isEmpty: options?.length === 0 })}
      />
      <datalist id={listId}>
        {options?.map((known) => (
          <option key={known.id} value={known.id}>
            {known.text}
          </option>
        ))}
      </datalist>
    </div>
  )
}

function useKnown(kind: Recipient['kind']): readonly Named[] | undefined {
  const query = { limit: listed }
  const subscribers = useRead<{ data: readonly { subscriberId: string; firstName?: string; email?: string }[] }>(
    '/v2/subscribers',
    { query, enabled: kind === 'subscriber' },
  )
  const topics = useRead<{ data: readonly { key: string; name?: string }[] }>('/v2/topics', {
    query,
    enabled: kind === 'topic',
  })
  if (kind === 'topic') return topics.data?.data.map(({ key, name }) => ({ id: key, text: name ?? key }))
  return subscribers.data?.data.map(({ subscriberId, firstName, email }) => ({
    id: subscriberId,
    text: [firstName, email].filter(Boolean).join(', '),
  }))
}

/** The suggestions contain only the newest ones, so others are requested from the service. */
function useIsNew({ kind, id }: Recipient, options: readonly Named[] | undefined): boolean {
  const isListed = options === undefined || options.some((known) => known.id === id)
  const enabled = id !== '' && !isListed && options.length === listed
  const [path, name] = kind === 'topic' ? ['/v2/topics', 'key'] : ['/v2/subscribers', 'subscriberId']
  const found = useRead<{ data: readonly unknown[] }>(path, { query: { [name]: id, limit: 1 }, enabled })
  return id !== '' && !isListed && (!enabled || found.data?.data.length === 0)
}

interface HintInput {
  readonly kind: Recipient['kind']
  readonly isNew: boolean
  readonly isEmpty: boolean
}

function hintOf({ kind, isNew, isEmpty }: HintInput): string {
  if (kind === 'subscriber')
    return isNew ? 'A new subscriber, created by the trigger.' : 'A subscriber of this environment.'
  if (isEmpty) return 'No topics yet. Create one on the page Topics.'
  return isNew
    ? 'No topic has this key, so the trigger would reach no one.'
    : 'Every subscriber of the topic gets a run.'
}
