import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { Environment } from '../../api/generated/resources.ts'
import { useInvalidate } from '../../session/queries.ts'
import { sendWithKey } from '../../session/send-with-key.ts'
import { useSession } from '../../session/session.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { OnceDialog } from '../../ui/overlay/once-dialog.tsx'
import { ShownKey } from './shown-key.tsx'

const path = '/v1/environments'

/** Creates an environment, and shows its secret key once. */
export function NewEnvironment({ onClose }: { onClose(): void }): ReactNode {
  const { environment, refresh } = useSession()
  const invalidate = useInvalidate()
  const [name, setName] = useState('')
  const [secretKey, setSecretKey] = useState('')
  const send = useMutation<Environment, ApiFailure>({
    mutationFn: () => sendWithKey<Environment>({ secretKey, environmentId: environment.id, path, body: { name } }),
    onSuccess: () => {
      void invalidate([path])
      void refresh()
    },
  })
  const newKey = send.data?.apiKeys?.[0]?.key
  if (newKey !== undefined)
    return (
      <OnceDialog onClose={onClose} title="New environment">
        <ShownKey title={`${name} is created`} secretKey={newKey} />
        <p>Open the studio with this key to work in the environment.</p>
      </OnceDialog>
    )
  return (
    <FormDialog
      title="New environment"
      verb="Create"
      needs="administer"
      request={send}
      failure="Couldn't create the environment"
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" required value={name} onChange={setName} placeholder="Staging" />
      <TextField
        label={`Secret key of ${environment.name}`}
        type="password"
        mono
        required
        autoComplete="off"
        placeholder="sk_…"
        hint="Only a secret key may create another."
        value={secretKey}
        onChange={setSecretKey}
      />
    </FormDialog>
  )
}
