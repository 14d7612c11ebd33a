import type { ReactNode } from 'react'
import type { JsonSchema } from '../../api/bridge.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import { useRead } from '../../session/queries.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'

/** The recipient of a preview as long as nobody chooses another. */
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

const listed = 100
const fields = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data']

type Subscriber = Readonly<Record<string, unknown>>

/** What the tab of the recipient is given. */
export interface SubscriberTabProps {
  /** The recipient. */
  readonly subscriber: unknown
  /** Replaces the recipient; undefined takes the sample again. */
  onChange(subscriber: unknown): void
}

/** Chooses or edits the recipient of a preview. */
export function SubscriberTab({ subscriber, onChange }: SubscriberTabProps): ReactNode {
  const stored = useRead<{ data: readonly Subscriber[] }>('/v2/subscribers', { query: { limit: listed } })
  const list = stored.data?.data ?? []
  const id = String((subscriber as Subscriber | null)?.['subscriberId'] ?? '')
  const known = list.some((found) => found['subscriberId'] === id)
  const choose = (chosen: string): void => {
    const found = list.find(({ subscriberId }) => subscriberId === chosen)
    onChange(found && Object.fromEntries(fields.flatMap((name) => (found[name] == null ? [] : [[name, found[name]]]))))
  }
  return (
    <ValueEditor schema={schema} value={subscriber} onChange={onChange} label="the subscriber" idPrefix="subscriber">
      <SelectField
        label="Subscriber"
        hideLabel
        value={known ? id : ''}
        onChange={choose}
        options={[
          { value: '', text: 'Sample' },
          ...list.map(({ subscriberId }) => ({ value: String(subscriberId), text: String(subscriberId) })),
        ]}
      />
    </ValueEditor>
  )
}
