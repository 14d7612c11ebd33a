import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { JsonScope } from '../../base/json-scope.tsx'
import { Button } from '../button.tsx'
import style from './dialog.module.css'

export interface DialogProps {
  /** Whether the dialog is open. */
  readonly open: boolean
  onClose(): void
  /** Its heading. */
  readonly title: string
  /** The content. */
  readonly children: ReactNode
  /** Buttons at the end of the dialog. */
  readonly actions?: ReactNode
  /** Whether only buttons close the dialog, not Escape or a click outside. @default false */
  readonly closesByButton?: boolean
}

/** A modal dialog. Focus stays inside; Escape closes the dialog. */
export function Dialog({ open, onClose, title, children, actions, closesByButton = false }: DialogProps): ReactNode {
  const onOpenChange = (next: boolean, { reason }: Base.Root.ChangeEventDetails): void => {
    if (!next && (!closesByButton || reason === 'close-press')) onClose()
  }
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={style['backdrop']} />
        <Base.Popup className={style['popup']}>
          <header className={style['head']}>
            <Base.Title className={style['title']}>{title}</Base.Title>
            <Base.Close render={<Button variant="quiet" small aria-label="Close" icon={<X size={16} />} />} />
          </header>
          <JsonScope>
            <div className={style['body']}>{children}</div>
            {actions !== undefined && <footer className={style['actions']}>{actions}</footer>}
          </JsonScope>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
