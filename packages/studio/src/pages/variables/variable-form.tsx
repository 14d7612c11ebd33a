import { type ReactNode, useState } from 'react'
import type { SendRequest } from '../../api/api.ts'
import type { EnvironmentVariable } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import style from './variables.module.css'

const path = '/v1/environment-variables'

export interface VariableFormProps {
  /** The variable to change; undefined for a new one. */
  readonly variable: EnvironmentVariable | undefined
  onClose(): void
}

/** Edits a variable's key and its value in the current environment. */
export function VariableForm({ variable, onClose }: VariableFormProps): ReactNode {
  const { environment } = useSession()
  const [key, setKey] = useState(variable?.key ?? '')
  const shown = shownValue(variable, environment.id)
  const [value, setValue] = useState(shown)
  const [isSecret, setSecret] = useState(variable?.isSecret ?? false)
  const save = useSend([path])
  const { fields: wrong = {} } = save.error?.details ?? {}
  const onSubmit = (): void => {
    // An unchanged value is not sent: that of a secret is unknown here, and an environment may have none.
    const isKept = variable !== undefined && value === shown
    const fields = { isSecret, ...(!isKept && { values: [{ _environmentId: environment.id, value }] }) }
    const request: SendRequest =
      variable === undefined
        ? { method: 'POST', path, body: { key, ...fields } }
        : { method: 'PATCH', path: `${path}/${encodeURIComponent(variable.key)}`, body: fields }
    save.mutate(request, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={variable === undefined ? 'New variable' : variable.key}
      verb="Save"
      needs="administer"
      request={save}
      failure="Couldn't save the variable"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {variable === undefined && (
        <TextField
          label="Key"
          mono
          required
          hint="Letters, digits and _, such as SHOP_URL"
          value={key}
          error={wrong['key']?.join(' ')}
          onChange={setKey}
        />
      )}
      <TextField
        label={`Value in ${environment.name}`}
        mono
        maxLength={256}
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        hint={variable?.isSecret && 'The saved value cannot be shown; a new one replaces it.'}
        value={value}
        error={wrong['values.0.value']?.join(' ')}
        onChange={setValue}
      />
      <SecretSwitch isFixed={variable?.isSecret === true} checked={isSecret} onChange={setSecret} />
    </FormDialog>
  )
}

/** The value of a secret is not available here. */
function shownValue(variable: EnvironmentVariable | undefined, environmentId: string): string {
  if (!variable || variable.isSecret) return ''
  return variable.values.find(({ _environmentId }) => _environmentId === environmentId)?.value ?? ''
}

interface SecretSwitchProps {
  readonly isFixed: boolean
  readonly checked: boolean
  onChange(checked: boolean): void
}

function SecretSwitch({ isFixed, checked, onChange }: SecretSwitchProps): ReactNode {
  return (
    <div className={style['secret']}>
      <Switch
        label="Secret"
        checked={checked}
        disabled={isFixed}
        reason={isFixed ? 'A secret cannot be made public' : undefined}
        onChange={onChange}
      />
      <p>
        <strong>Secret</strong> Masked permanently, wherever the service shows it.
      </p>
    </div>
  )
}
