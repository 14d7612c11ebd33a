import type { ReactNode } from 'react'
import type { Need } from '../base/access.tsx'
import { FormDialog } from '../ui/overlay/form-dialog.tsx'
import type { FormField } from './form-field.ts'
import { ResourceFields } from './resource-fields.tsx'
import { type ResourceFormOptions, useResourceForm } from './use-resource-form.ts'

/** Props of a form in a dialog. */
export interface ResourceDialogProps extends ResourceFormOptions {
  /** Its heading. */
  readonly title: string
  /** The label of the save button. */
  readonly verb: string
  /** The message shown if saving fails: `Couldn't create the tenant`. */
  readonly failure: string
  readonly fields: readonly FormField[]
  /** The kind of action, for permissions. @default 'edit' */
  readonly needs?: Need
  /** Content above the fields. */
  readonly children?: ReactNode
  onClose(): void
}

/** Shows a dialog with the fields of a resource. */
export function ResourceDialog(props: ResourceDialogProps): ReactNode {
  const { title, verb, failure, fields, children, needs = 'edit', onClose, ...options } = props
  const form = useResourceForm(options)
  return (
    <FormDialog
      title={title}
      verb={verb}
      needs={needs}
      request={{ isPending: form.isSaving, error: form.error }}
      failure={failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {children}
      <ResourceFields form={form} fields={fields} />
    </FormDialog>
  )
}
