import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import style from './tabs.module.css'

export interface TabsProps {
  /** The accessible label. */
  readonly label: string
  /** The tabs in order, identified by `key`. */
  readonly tabs: readonly { readonly key: string; readonly text: ReactNode; readonly content: ReactNode }[]
  /** The selected tab, if the page controls it. */
  readonly value?: string
  /** Receives the selected tab. */
  onChange?(key: string): void
}

export function Tabs({ label, tabs, value, onChange }: TabsProps): ReactNode {
  return (
    <Base.Root
      className={style['tabs']}
      defaultValue={tabs[0]?.key}
      {...(value !== undefined && { value })}
      onValueChange={(key: unknown) => onChange?.(String(key))}
    >
      <Base.List className={style['list']} aria-label={label}>
        {tabs.map(({ key, text }) => (
          <Base.Tab key={key} value={key} className={style['tab']}>
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ key, content }) => (
        <Base.Panel key={key} value={key} className={style['panel']}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
