import { Save } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Need } from '../base/access.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import style from './resource.module.css'
import type { ResourceFormState } from './use-resource-form.ts'

/** Props of the last row of a form. */
export interface SaveRowProps {
  readonly form: Pick<ResourceFormState, 'isChanged' | 'isSaving' | 'discard'>
  /** The kind of action, for permissions. @default 'edit' */
  readonly needs?: Need | undefined
  /** The label of the save button. @default 'Save' */
  readonly verb?: string | undefined
  /** Whether the form can be saved without changes, as for a new resource. @default false */
  readonly isNew?: boolean
}

/** The last row of a form: saves or discards the changes, and shows whether there are any. */
export function SaveRow({ form, needs = 'edit', verb = 'Save', isNew = false }: SaveRowProps): ReactNode {
  return (
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
  )
}
