import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import style from './shell.module.css'
import { Side } from './side.tsx'

export interface DrawerProps {
  /** Whether the drawer is open. */
  readonly open: boolean
  /** Called to open or close the drawer. */
  onOpenChange(open: boolean): void
  /** Opens the search. */
  onSearch(): void
}

/** The navigation drawer on phones. */
export default function Drawer({ open, onOpenChange, onSearch }: DrawerProps): ReactNode {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={style['backdrop']} />
        <Dialog.Popup className={style['drawer']} aria-label="Menu">
          <Side onNavigate={() => onOpenChange(false)} onSearch={onSearch} />
          <div className={style['close']}>
            <Dialog.Close render={<Button variant="quiet" aria-label="Close the menu" icon={<X size={18} />} />} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
