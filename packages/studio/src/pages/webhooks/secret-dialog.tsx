import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { WebhookEndpointSecret } from '../../api/generated/resources.ts'
import type { FormField, FormValues } from '../../resource/form-field.ts'
import { ResourceFields } from '../../resource/resource-fields.tsx'
import { useInvalidate } from '../../session/queries.ts'
import { sendWithKey } from '../../session/send-with-key.ts'
import { useSession } from '../../session/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { OnceDialog } from '../../ui/overlay/once-dialog.tsx'
import style from './webhooks.module.css'

/** Props of a dialog that ends by showing a new secret. */
export interface SecretDialogProps {
  readonly title: string
  /** The label of the submit button. */
  readonly verb: string
  /** Shown if sending failed: `Couldn't add the endpoint`. */
  readonly failure: string
  /** Shown above the new secret. */
  readonly done: string
  /** The path of the operation. */
  readonly path: string
  readonly fields: readonly FormField[]
  /** Returns the body of the call. */
  toBody(values: FormValues): object
  /** Shown above the fields. */
  readonly children?: ReactNode
  /** Closes the dialog. Receives the endpoint if there is a new secret. */
  onClose(endpoint?: WebhookEndpointSecret): void
}

const keyName = 'secretKey'

/** A studio session cannot see secrets, so the call is sent with a secret key. The new secret is shown once. */
export function SecretDialog(props: SecretDialogProps): ReactNode {
  const { title, verb, failure, done, path, fields, toBody, children, onClose } = props
  const { environment } = useSession()
  const invalidate = useInvalidate()
  const [values, setValues] = useState<FormValues>({})
  const { [keyName]: secretKey = '', ...given } = values
  const send = useMutation<WebhookEndpointSecret, ApiFailure>({
    mutationFn: () =>
      sendWithKey({ secretKey: String(secretKey), environmentId: environment.id, path, body: toBody(given) }),
    onSuccess: () => void invalidate(['/v1/webhook-endpoints']),
  })
  const form = {
    values,
    set: (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value })),
    errorOf: ({ name }: FormField) => send.error?.details.fields?.[name]?.join(' '),
  }
  const keyField: FormField = {
    ...{ name: keyName, label: `Secret key of ${environment.name}`, placeholder: 'sk_…' },
    ...{ required: true, secret: true, isWide: true, hint: 'Only a secret key may create a signing secret.' },
  }
  if (send.data)
    return (
      <OnceDialog onClose={() => onClose(send.data)} title={title}>
        <ShownSecret title={done} secret={send.data.secret} />
      </OnceDialog>
    )
  return (
    <FormDialog
      title={title}
      verb={verb}
      needs="administer"
      request={send}
      failure={failure}
      onSubmit={() => send.mutate()}
      onClose={() => onClose()}
    >
      {children}
      <ResourceFields form={form} fields={[...fields, keyField]} />
    </FormDialog>
  )
}

function ShownSecret({ title, secret }: { readonly title: string; readonly secret: string }): ReactNode {
  return (
    <Notice tone="good" title={title}>
      <p>Copy the secret now. It is not shown again.</p>
      <p className={style['secret']}>
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </p>
    </Notice>
  )
}
