import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import { useSubscriberSuggestions } from '../../resource/suggestions.ts'
import { useRead } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { SuggestField } from '../../ui/fields/suggest-field.tsx'
import style from './step.module.css'

/** The recipient of a preview until a different one is selected. */
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
const fields = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data']

type Subscriber = Readonly<Record<string, unknown>>

export interface SubscriberTabProps {
  /** The recipient. */
  readonly subscriber: unknown
  /** Replaces the recipient; undefined restores the sample. */
  onChange(subscriber: unknown): void
}

/** Selects or edits the recipient of a preview. */
export function SubscriberTab({ subscriber, onChange }: SubscriberTabProps): ReactNode {
  const [typed, type] = useState('')
  const suggestions = useSubscriberSuggestions(typed)
  const [picked, pick] = useState<string | undefined>(undefined)
  const id = String((subscriber as Subscriber | null)?.['subscriberId'] ?? '')
  useSubscriber(picked, (pickedSubscriber) => {
    pick(undefined)
    type('')
    onChange(
      Object.fromEntries(
        fields.flatMap((name) => (pickedSubscriber[name] == null ? [] : [[name, pickedSubscriber[name]]])),
      ),
    )
  })
  return (
    <ValueEditor schema={schema} value={subscriber} onChange={onChange} label="the subscriber" idPrefix="subscriber">
      <div className={style['actions']}>
        <SuggestField
          label="Subscriber"
          hideLabel
          placeholder="Use a subscriber"
          value={typed}
          onChange={type}
          onPick={pick}
          suggestions={suggestions}
        />
        <Button disabled={id === sampleSubscriber['subscriberId']} onClick={() => onChange(undefined)}>
          Sample
        </Button>
      </div>
    </ValueEditor>
  )
}

/** Fetches a subscriber with all its fields. */
function useSubscriber(id: string | undefined, use: (subscriber: Subscriber) => void): void {
  const { data } = useRead<Subscriber>(`${path}/${encodeURIComponent(id ?? '')}`, { enabled: id !== undefined })
  const receive = useEffectEvent(use)
  useEffect(() => {
    if (id !== undefined && data) receive(data)
  }, [id, data])
}
