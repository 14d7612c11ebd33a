import { Menu } from '@base-ui/react/menu'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { mainElement } from '../main-element.ts'
import style from './choice-menu.module.css'

export interface ChoiceMenuProps {
  /** The menu's name, such as `Status`. */
  readonly label: string
  /** The text shown if nothing is selected, such as `All statuses`. */
  readonly all: string
  /** The selected values. */
  readonly values: readonly string[]
  /** The available values. */
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Receives the selected values. */
  onChange(values: readonly string[]): void
}

/** Selects multiple values in a menu that stays open. */
export function ChoiceMenu({ label, all, values, options, onChange }: ChoiceMenuProps): ReactNode {
  const first = options.find(({ value }) => value === values[0])?.text ?? values[0]
  return (
    <Menu.Root>
      <Menu.Trigger className={style['trigger']} data-chosen={values.length > 0 || undefined}>
        <span className="visually-hidden">{label}: </span>
        <span className={style['text']}>{values.length === 0 ? all : first}</span>
        {values.length > 1 && <span className={style['more']}>+{values.length - 1}</span>}
        <ChevronsUpDown size={14} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal container={mainElement()}>
        <Menu.Positioner className={style['positioner']} align="start" sideOffset={4}>
          <Menu.Popup className={style['popup']}>
            {options.map(({ value, text }) => (
              <Menu.CheckboxItem
                key={value}
                className={style['item']}
                checked={values.includes(value)}
                onCheckedChange={(checked) =>
                  onChange(checked ? [...values, value] : values.filter((one) => one !== value))
                }
              >
                <span className={style['mark']}>
                  <Menu.CheckboxItemIndicator>
                    <Check size={14} aria-hidden />
                  </Menu.CheckboxItemIndicator>
                </span>
                {text}
              </Menu.CheckboxItem>
            ))}
            {values.length > 0 && (
              <Menu.Item className={style['clear']} onClick={() => onChange([])}>
                Clear
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
