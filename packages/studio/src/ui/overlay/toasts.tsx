import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { ownEntry } from '../../base/own-entry.ts'
import { Button } from '../button.tsx'
import style from './toasts.module.css'

const manager = Toast.createToastManager()

/**
 * Shows a toast that reports a result without moving focus.
 *
 * @param title - What happened.
 * @param options - Details, and whether it is an error.
 */
export function toast(title: string, options: { description?: string; tone?: 'good' | 'bad' } = {}): void {
  const { description, tone = 'good' } = options
  manager.add({ title, type: tone, ...(description !== undefined && { description }) })
}

/** Lets its children show toasts. */
export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={style['viewport']}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List(): ReactNode {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} className={`${style['toast']} ${ownEntry(style, item.type ?? 'good')}`}>
      <Toast.Content className={style['content']}>
        <div>
          <Toast.Title className={style['title']} />
          <Toast.Description className={style['description']} />
        </div>
        <Toast.Close render={<Button variant="quiet" small aria-label="Dismiss" icon={<X size={14} />} />} />
      </Toast.Content>
    </Toast.Root>
  ))
}
