import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
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
}

/** A modal dialog. Focus stays inside; Escape closes the dialog. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps): ReactNode {
  return (
    <Base.Root open={open} onOpenChange={(next: boolean) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={style['backdrop']} />
        <Base.Popup className={style['popup']}>
          <header className={style['head']}>
            <Base.Title className={style['title']}>{title}</Base.Title>
            <Base.Close render={<Button variant="quiet" small aria-label="Close" icon={<X size={16} />} />} />
          </header>
          <div className={style['body']}>{children}</div>
          {actions !== undefined && <footer className={style['actions']}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
