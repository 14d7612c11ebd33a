import { Menu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import style from '../fields/choice-menu.module.css'
import { mainElement } from '../main-element.ts'

/** An entry of a menu. */
export interface MenuAction {
  readonly text: ReactNode
  /** Called when it is selected. */
  run(): void
}

export interface ActionMenuProps {
  /** The text of its button. */
  readonly label: string
  readonly icon?: ReactNode
  /** Its entries, in groups with separators. */
  readonly groups: readonly (readonly MenuAction[])[]
}

/** A button with a menu of actions. */
export function ActionMenu({ label, icon, groups }: ActionMenuProps): ReactNode {
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button icon={icon}>{label}</Button>} />
      <Menu.Portal container={mainElement()}>
        <Menu.Positioner className={style['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={style['popup']}>
            {groups.map((actions, group) =>
              actions.map(({ text, run }, index) => (
                <Menu.Item
                  // Entries have no ids, and their order does not change.
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  key={`${group}-${index}`}
                  className={group > 0 && index === 0 ? style['clear'] : style['item']}
                  onClick={run}
                >
                  {text}
                </Menu.Item>
              )),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
