import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Subscriber } from '../../api/generated/resources.ts'
import { subscriberPaths } from '../../api/list-paths.ts'
import { type FormField, withoutEmpty } from '../../resource/form-field.ts'
import { ResourceDialog } from '../../resource/resource-dialog.tsx'
import { toPathName } from '../../ui/path-names.ts'

const path = '/v2/subscribers'

const fields: readonly FormField[] = [
  { name: 'subscriberId', label: 'Identifier', required: true, mono: true, hint: 'The id in your app, such as ada' },
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone', hint: 'With country code, such as +49 30 1234' },
  { name: 'locale', label: 'Language', hint: 'Such as en_US' },
]

/** Shows a dialog that creates a subscriber. */
export function NewSubscriber({ onClose }: { onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  return (
    <ResourceDialog
      title="New subscriber"
      verb="Create"
      failure="Couldn't create the subscriber"
      fields={fields}
      initial={{}}
      toRequest={(values) => ({ method: 'POST', path, body: withoutEmpty(values), query: { failIfExists: true } })}
      touches={subscriberPaths}
      onSaved={({ subscriberId }: Subscriber) => navigate(`/subscribers/${toPathName(subscriberId)}`)}
      onClose={onClose}
    />
  )
}
