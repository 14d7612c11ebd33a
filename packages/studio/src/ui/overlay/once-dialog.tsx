import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

/** Shows a value that is not shown again. Only its buttons close it, so that a stray key or click does not lose the value. */
export function OnceDialog({ children, onClose, title }: Omit<DialogProps, 'open' | 'actions'>): ReactNode {
  return (
    <Dialog open onClose={onClose} title={title} closesByButton actions={<Button onClick={onClose}>Done</Button>}>
      {children}
    </Dialog>
  )
}
