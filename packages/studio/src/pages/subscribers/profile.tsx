import type { ReactNode } from 'react'
import type { Subscriber } from '../../api/generated/resources.ts'
import { subscriberPaths } from '../../api/list-paths.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceForm } from '../../resource/resource-form.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { AddressList } from './address-list.tsx'
import style from './subscribers.module.css'

const path = '/v2/subscribers'

const fields: readonly FormField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone', placeholder: '+49 30 1234' },
  { name: 'locale', label: 'Language', mono: true, placeholder: 'en_US' },
  { name: 'timezone', label: 'Time zone', mono: true, placeholder: 'Europe/Berlin' },
  { name: 'avatar', label: 'Picture', mono: true, isWide: true, placeholder: 'https://example.com/ada.png' },
  { name: 'data', label: 'Data', kind: 'json', hint: 'Workflows read it as subscriber.data.' },
]
const names = fields.map(({ name }) => name)

/** Edits the profile of a subscriber. */
export function Profile({ subscriber }: { readonly subscriber: Subscriber }): ReactNode {
  const { subscriberId, data, createdAt } = subscriber
  const initial = Object.fromEntries(names.map((name) => [name, subscriber[name as keyof Subscriber] ?? '']))
  return (
    <div className={style['profile']}>
      <Facts
        facts={[
          [
            'Identifier',
            <span key="id">
              <code>{subscriberId}</code> <CopyButton text={subscriberId} label="Copy the identifier" />
            </span>,
          ],
          ['Created', <TimeText key="at" at={createdAt} />],
        ]}
      />
      <ResourceForm
        failure="Couldn't save the subscriber"
        fields={fields}
        initial={{ ...initial, data }}
        toRequest={(values) => ({
          method: 'PATCH',
          path: `${path}/${encodeURIComponent(subscriberId)}`,
          // An empty field removes what was saved.
          body: { ...Object.fromEntries(names.map((name) => [name, null])), ...withoutEmpty(values) },
        })}
        touches={subscriberPaths}
      />
      <AddressList subscriber={subscriber} />
    </div>
  )
}
