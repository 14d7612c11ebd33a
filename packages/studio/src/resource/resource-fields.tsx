import type { ReactNode } from 'react'
import { JsonEditor } from '../editor/json-editor.tsx'
import { SelectField } from '../ui/fields/select-field.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { TextArea } from '../ui/fields/text-area.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { FormField } from './form-field.ts'
import style from './resource.module.css'
import type { ResourceFormState } from './use-resource-form.ts'

/** Props of the form fields. */
export interface ResourceFieldsProps {
  readonly form: Pick<ResourceFormState, 'values' | 'set' | 'errorOf'>
  readonly fields: readonly FormField[]
}

/** Shows the fields of a form. */
export function ResourceFields({ form, fields }: ResourceFieldsProps): ReactNode {
  return (
    <div className={style['fields']}>
      {fields.map((field) => (
        <div key={field.name} className={isLong(field) ? style['long'] : undefined}>
          <Field
            field={field}
            value={form.values[field.name]}
            error={form.errorOf(field)}
            onChange={(value) => form.set(field.name, value)}
          />
        </div>
      ))}
    </div>
  )
}

const isLong = ({ kind, isWide = false }: FormField): boolean => isWide || kind === 'json' || kind === 'multiline'

interface FieldProps {
  readonly field: FormField
  readonly value: unknown
  readonly error: string | undefined
  onChange(value: unknown): void
}

function Field({ field, value, error, onChange }: FieldProps): ReactNode {
  const { label, kind = 'text', hint, placeholder, required = false, mono = false, secret = false, options } = field
  const common = { label, required, hint, error, placeholder, value: String(value ?? ''), onChange }
  switch (kind) {
    case 'switch':
      return <SwitchRow label={label} hint={hint} checked={value === true} onChange={onChange} />
    case 'json':
      return <JsonField label={label} hint={hint} error={error} value={value} onChange={onChange} />
    case 'select':
      return <SelectField label={label} value={common.value} options={options ?? []} onChange={onChange} />
    case 'multiline':
      return <TextArea {...common} mono />
    default:
      return (
        <TextField
          {...common}
          mono={mono || secret}
          autoComplete="off"
          {...(kind === 'number' && { inputMode: 'numeric' as const })}
          {...(secret && { type: 'password' })}
        />
      )
  }
}

interface SwitchRowProps {
  readonly label: string
  readonly hint: ReactNode
  readonly checked: boolean
  onChange(checked: boolean): void
}

function SwitchRow({ label, hint, checked, onChange }: SwitchRowProps): ReactNode {
  return (
    <div className={style['switch']}>
      <Switch label={label} checked={checked} onChange={onChange} />
      <div>
        <p className={style['label']}>{label}</p>
        {hint !== undefined && <p className={style['hint']}>{hint}</p>}
      </div>
    </div>
  )
}

interface JsonFieldProps extends Omit<FieldProps, 'field'> {
  readonly label: string
  readonly hint: ReactNode
}

function JsonField({ label, hint, error, value, onChange }: JsonFieldProps): ReactNode {
  const said = error ?? hint
  return (
    <div className={style['json']}>
      <p className={style['label']}>{label}</p>
      <JsonEditor label={label} value={value} onChange={onChange} minRows={6} mayBeEmpty />
      {said !== undefined && <p className={error === undefined ? style['hint'] : style['error']}>{said}</p>}
    </div>
  )
}
