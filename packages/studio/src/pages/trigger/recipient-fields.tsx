import type { ReactNode } from 'react'
import { useExists, useSubscriberSuggestions, useTopicSuggestions } from '../../resource/suggestions.ts'
import { SuggestField } from '../../ui/fields/suggest-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import type { Recipient } from './recipient.ts'
import style from './trigger.module.css'

export interface RecipientFieldsProps {
  readonly recipient: Recipient
  /** Replaces the recipient. */
  onChange(recipient: Recipient): void
}

/** Selects the recipient of a trigger; existing subscribers and topics are suggested. */
export function RecipientFields({ recipient, onChange }: RecipientFieldsProps): ReactNode {
  const { kind, id } = recipient
  const subscribers = useSubscriberSuggestions(id, kind === 'subscriber')
  const isNew = useExists(kind, id.trim()) === false
  const topics = useTopicSuggestions(id, kind === 'topic')
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
      <SuggestField
        label={kind === 'subscriber' ? 'Subscriber id' : 'Topic key'}
        value={id}
        onChange={(next) => onChange({ kind, id: next })}
        suggestions={kind === 'subscriber' ? subscribers : topics}
        hint={hints[kind][isNew ? 'new' : 'existing']}
      />
    </div>
  )
}

/** The hints, by whether the recipient exists. */
const hints = {
  subscriber: {
    existing: 'A subscriber of this environment.',
    new: 'A new subscriber, created by the trigger.',
  },
  topic: {
    existing: 'Every subscriber of the topic gets a run.',
    new: 'No topic has this key, so the trigger would reach no one.',
  },
}
