import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { Dialog } from './dialog.tsx'

/** Props of a button with a confirmation, in addition to those of all buttons. */
export interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly question: string
  /** What the action does. */
  readonly consequence: ReactNode
  /** The text of the confirming button. */
  readonly verb: string
  /** The text of the button that closes the dialog. @default 'Cancel' */
  readonly dismissal?: string
  /** Runs the action, and calls `close` when the action is done. */
  onConfirm(close: () => void): void
}

/** Asks for confirmation before an irreversible action. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { question, consequence, verb, dismissal = 'Cancel', onConfirm, busy = false, ...rest } = props
  const [isAsked, ask] = useState(false)
  const close = (): void => ask(false)
  return (
    <>
      <Button {...rest} onClick={() => ask(true)} />
      <Dialog
        open={isAsked}
        onClose={close}
        title={question}
        actions={
          <>
            <Button onClick={close}>{dismissal}</Button>
            <Button variant="danger" busy={busy} onClick={() => onConfirm(close)}>
              {verb}
            </Button>
          </>
        }
      >
        <p>{consequence}</p>
      </Dialog>
    </>
  )
}
