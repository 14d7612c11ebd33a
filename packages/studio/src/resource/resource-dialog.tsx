import { type ReactNode, useId } from 'react'
import type { Need } from '../base/access.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import type { FormField } from './form-field.ts'
import style from './resource.module.css'
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
  const id = useId()
  const form = useResourceForm(options)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button needs={needs} type="submit" form={id} variant="primary" busy={form.isSaving}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} className={style['form']} onSubmit={form.submit}>
        {form.error && <Failure title={failure} error={form.error} />}
        {children}
        <ResourceFields form={form} fields={fields} />
      </form>
    </Dialog>
  )
}
