import type { ReactNode } from 'react'
import type { Need } from '../base/access.tsx'
import { Failure } from '../ui/notice.tsx'
import { toast } from '../ui/overlay/toasts.tsx'
import type { FormField } from './form-field.ts'
import style from './resource.module.css'
import { ResourceFields } from './resource-fields.tsx'
import { SaveRow } from './save-row.tsx'
import { type ResourceFormOptions, useResourceForm } from './use-resource-form.ts'

/** Props of a form on a page. */
export interface ResourceFormProps extends ResourceFormOptions {
  /** The message shown if saving fails: `Couldn't save the tenant`. */
  readonly failure: string
  /** The kind of action, for permissions. @default 'edit' */
  readonly needs?: Need
  readonly fields: readonly FormField[]
  /** The label of the save button. @default 'Save' */
  readonly verb?: string
  /** Whether the form can be saved without changes, as for a new resource. @default false */
  readonly isNew?: boolean
}

/** Edits a resource on its page. */
export function ResourceForm(props: ResourceFormProps): ReactNode {
  const { failure, fields, verb, isNew = false, needs, onSaved, ...options } = props
  const form = useResourceForm({
    ...options,
    onSaved: (answer) => {
      if (!isNew) toast('Saved')
      onSaved?.(answer)
    },
  })
  return (
    <form className={style['form']} onSubmit={form.submit}>
      {form.error && <Failure title={failure} error={form.error} />}
      <ResourceFields form={form} fields={fields} />
      <SaveRow form={form} isNew={isNew} needs={needs} verb={verb} />
    </form>
  )
}
