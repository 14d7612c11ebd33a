import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { Dialog } from './dialog.tsx'

/** What a button that asks first is given, beside what every button is. */
export interface ConfirmButtonProps extends Omit<ButtonProps, 'onClick' | 'title'> {
  /** The question. */
  readonly question: string
  /** What happens. */
  readonly consequence: ReactNode
  /** The text of the button that does it. */
  readonly verb: string
  /** Does it, and calls `close` when it is done. */
  onConfirm(close: () => void): void
}

/** Asks before it does what cannot be undone. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { question, consequence, verb, onConfirm, busy = false, ...rest } = props
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
            <Button onClick={close}>Cancel</Button>
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
