import type { ReactNode } from 'react'
import { Switch } from '../ui/fields/switch.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import style from './palette.module.css'
import { shortcuts, useSingleKeys } from './shortcuts.ts'

/** Lists the shortcuts, and can disable single-key shortcuts. */
export default function ShortcutHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [on, setOn] = useSingleKeys()
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <dl className={style['shortcuts']}>
        {shortcuts.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className={style['single']}>
        <span>Single-key shortcuts</span>
        <Switch label="Single-key shortcuts" checked={on} onChange={setOn} />
      </div>
    </Dialog>
  )
}
