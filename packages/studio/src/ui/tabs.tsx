import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import style from './tabs.module.css'

/** What tabs are given. */
export interface TabsProps {
  /** Said to screen readers. */
  readonly label: string
  /** The tabs in their order; `key` names them. */
  readonly tabs: readonly { readonly key: string; readonly text: ReactNode; readonly content: ReactNode }[]
  /** The tab that is shown, where the page decides. */
  readonly value?: string
  /** Receives the tab that was chosen. */
  onChange?(key: string): void
}

/** Shows one of several contents, by a row of tabs. */
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
