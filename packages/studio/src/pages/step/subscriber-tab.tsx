import { type ReactNode, useId, useState } from 'react'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import style from './step.module.css'

/** The recipient of a preview until another one is selected. */
export const sampleSubscriber: Readonly<Record<string, unknown>> = {
  subscriberId: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4915112345678',
  locale: 'en_US',
}

const text = { type: 'string' }
const schema: JsonSchema = {
  type: 'object',
  properties: {
    subscriberId: { ...text, title: 'Identifier' },
    firstName: { ...text, title: 'First name' },
    lastName: { ...text, title: 'Last name' },
    email: { ...text, title: 'Email' },
    phone: { ...text, title: 'Phone' },
    locale: { ...text, title: 'Locale' },
    timezone: { ...text, title: 'Time zone' },
  },
  required: ['subscriberId'],
}

const path = '/v2/subscribers'
const listed = 100
const fields = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data']

type Subscriber = Readonly<Record<string, unknown>>

interface Page {
  readonly data: readonly Subscriber[]
}

export interface SubscriberTabProps {
  /** The recipient. */
  readonly subscriber: unknown
  /** Replaces the recipient; undefined restores the sample. */
  onChange(subscriber: unknown): void
}

/** Selects or edits the recipient of a preview. */
export function SubscriberTab({ subscriber, onChange }: SubscriberTabProps): ReactNode {
  const stored = useRead<Page>(path, { query: { limit: listed } })
  const list = stored.data?.data ?? []
  const id = String((subscriber as Subscriber | null)?.['subscriberId'] ?? '')
  const choose = (found: Subscriber | undefined): void =>
    onChange(found && Object.fromEntries(fields.flatMap((name) => (found[name] == null ? [] : [[name, found[name]]]))))
  const Choice = list.length < listed ? ListedSubscribers : SoughtSubscriber
  return (
    <ValueEditor schema={schema} value={subscriber} onChange={onChange} label="the subscriber" idPrefix="subscriber">
      <Choice list={list} id={id} onChoose={choose} />
    </ValueEditor>
  )
}

interface ChoiceProps {
  /** The newest subscribers. */
  readonly list: readonly Subscriber[]
  /** The recipient's subscriber id. */
  readonly id: string
  /** Selects a subscriber as the recipient; undefined restores the sample. */
  onChoose(found: Subscriber | undefined): void
}

function ListedSubscribers({ list, id, onChoose }: ChoiceProps): ReactNode {
  const known = list.some(({ subscriberId }) => subscriberId === id)
  return (
    <SelectField
      label="Subscriber"
      hideLabel
      value={known ? id : ''}
      onChange={(chosen) => onChoose(list.find(({ subscriberId }) => subscriberId === chosen))}
      options={[
        { value: '', text: 'Sample' },
        ...list.map(({ subscriberId }) => ({ value: String(subscriberId), text: String(subscriberId) })),
      ]}
    />
  )
}

/** If there are more subscribers than the list contains, the service is queried for the typed id. */
function SoughtSubscriber({ list, id, onChoose }: ChoiceProps): ReactNode {
  const [sought, seek] = useState('')
  const listId = useId()
  const listedOne = list.find(({ subscriberId }) => subscriberId === sought)
  const query = { subscriberId: sought, limit: 1 }
  const answer = useRead<Page>(path, { query, enabled: sought !== '' && listedOne === undefined })
  const found = listedOne ?? answer.data?.data.find(({ subscriberId }) => subscriberId === sought)
  const isNew = found !== undefined && sought !== id
  return (
    <div className={style['actions']}>
      <TextField
        label="Subscriber"
        hideLabel
        value={sought}
        onChange={seek}
        list={listId}
        autoComplete="off"
        placeholder="Subscriber id"
        mono
        hint={sought !== '' && answer.data && !found ? 'No subscriber has this id.' : undefined}
      />
      <datalist id={listId}>
        {list.map(({ subscriberId }) => (
          <option key={String(subscriberId)} value={String(subscriberId)} />
        ))}
      </datalist>
      <Button disabled={!isNew} onClick={() => onChoose(found)}>
        Use
      </Button>
      <Button disabled={id === sampleSubscriber['subscriberId']} onClick={() => onChoose(undefined)}>
        Sample
      </Button>
    </div>
  )
}
