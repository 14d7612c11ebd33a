import { type ReactNode, useId } from 'react'
import type { Need } from '../base/access.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import type { FormField } from './form-field.ts'
import style from './resource.module.css'
import { ResourceFields } from './resource-fields.tsx'
import { type ResourceFormOptions, useResourceForm } from './use-resource-form.ts'

/** What a form in a dialog is given. */
export interface ResourceDialogProps extends ResourceFormOptions {
  /** Its heading. */
  readonly title: string
  /** The text of the button that saves. */
  readonly verb: string
  /** What is shown if it was not saved: `Couldn't create the tenant`. */
  readonly failure: string
  /** Its fields. */
  readonly fields: readonly FormField[]
  /** What saving it does. @default 'edit' */
  readonly needs?: Need
  /** Shown above the fields. */
  readonly children?: ReactNode
  /** Closes it. */
  onClose(): void
}

/** Asks for the fields of a resource in a dialog. */
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
