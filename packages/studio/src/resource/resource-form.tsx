import { Save } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Need } from '../base/access.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { toast } from '../ui/overlay/toasts.tsx'
import type { FormField } from './form-field.ts'
import style from './resource.module.css'
import { ResourceFields } from './resource-fields.tsx'
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
  const { failure, fields, verb = 'Save', isNew = false, needs = 'edit', onSaved, ...options } = props
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
      <div className={style['foot']}>
        <Button
          needs={needs}
          type="submit"
          variant="primary"
          icon={<Save size={15} />}
          busy={form.isSaving}
          disabled={!isNew && !form.isChanged}
        >
          {verb}
        </Button>
        {!isNew && form.isChanged && (
          <>
            <Button variant="quiet" onClick={form.discard}>
              Discard
            </Button>
            <Badge dot tone="accent">
              Unsaved changes
            </Badge>
          </>
        )}
      </div>
    </form>
  )
}
