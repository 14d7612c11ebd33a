import { type FormEvent, type ReactNode, useId } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { Need } from '../../base/access.tsx'
import { Button } from '../button.tsx'
import { Failure } from '../notice.tsx'
import { Dialog } from './dialog.tsx'
import style from './form-dialog.module.css'

export interface FormDialogProps {
  /** Its heading. */
  readonly title: string
  /** The label of the submit button. */
  readonly verb: string
  /** The style of the submit button. @default 'primary' */
  readonly variant?: 'primary' | 'danger'
  /** The kind of action, for permissions. @default nothing */
  readonly needs?: Need | undefined
  /** The request that the form sends. */
  readonly request: { readonly isPending: boolean; readonly error?: ApiFailure | null | undefined }
  /** The message shown if the request fails: `Couldn't create the tenant`. */
  readonly failure: string
  /** The fields. */
  readonly children: ReactNode
  /** Content after the form. */
  readonly after?: ReactNode
  /** Sends the request. */
  onSubmit(event: FormEvent): void
  onClose(): void
}

/** A dialog with a form that sends one request, and shows why it failed. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, verb, variant = 'primary', needs, request, failure, children, after, onSubmit, onClose } = props
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button needs={needs} type="submit" form={id} variant={variant} busy={request.isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={style['form']}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(event)
        }}
      >
        {request.error && <Failure title={failure} error={request.error} />}
        {children}
      </form>
      {after}
    </Dialog>
  )
}
