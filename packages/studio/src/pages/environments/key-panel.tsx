import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { ApiKey } from '../../api/generated/resources.ts'
import { useInvalidate, useRead } from '../../session/queries.ts'
import { sendWithKey } from '../../session/send-with-key.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './environments.module.css'
import { ShownKey } from './shown-key.tsx'

const path = '/v1/environments/api-keys'

/** Shows when the secret key was created, and replaces it. */
export function KeyPanel(): ReactNode {
  const { environment } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [secretKey, setSecretKey] = useState<string | undefined>(undefined)
  const createdAt = useRead<readonly ApiKey[]>(path).data?.[0]?.createdAt
  return (
    <Panel title="Secret key">
      <div className={style['panel']}>
        <p>
          Apps and bridges of {environment.name} prove themselves with it.
          {createdAt !== undefined && (
            <>
              {' '}
              Created <TimeText at={createdAt} />.
            </>
          )}
        </p>
        {secretKey !== undefined && <ShownKey title="The secret key was replaced" secretKey={secretKey} />}
        <div>
          <Button needs="administer" icon={<KeyRound size={15} />} onClick={() => setAsking(true)}>
            Regenerate
          </Button>
        </div>
      </div>
      {isAsking && (
        <Regenerate
          onClose={() => setAsking(false)}
          onDone={(key) => {
            setSecretKey(key)
            setAsking(false)
          }}
        />
      )}
    </Panel>
  )
}

interface RegenerateProps {
  onClose(): void
  onDone(secretKey: string): void
}

/** A studio session cannot see secret keys, so the current key is required to confirm the change. */
function Regenerate({ onClose, onDone }: RegenerateProps): ReactNode {
  const { environment, replaceKey } = useSession()
  const invalidate = useInvalidate()
  const [current, setCurrent] = useState('')
  const send = useMutation<string, ApiFailure>({
    mutationFn: () =>
      replaceKey(async () => {
        const call = { secretKey: current, environmentId: environment.id, path: `${path}/regenerate` }
        const [apiKey] = await sendWithKey<readonly ApiKey[]>(call)
        return apiKey?.key ?? ''
      }),
    onSuccess: (key) => {
      onDone(key)
      void invalidate([path])
    },
  })
  return (
    <FormDialog
      title={`Regenerate the secret key of ${environment.name}?`}
      verb="Regenerate"
      variant="danger"
      needs="administer"
      request={send}
      failure="Couldn't regenerate the key"
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <p>The current key expires at once. Apps and bridges fail until they use the new one.</p>
      <TextField
        label="Current secret key"
        type="password"
        mono
        required
        autoComplete="off"
        placeholder="sk_…"
        value={current}
        onChange={setCurrent}
      />
    </FormDialog>
  )
}
