import type { IconButtonProps, TemplatesType } from '@rjsf/utils'
import { ArrowDown, ArrowUp, Copy, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

const iconSize = 14

type IconParts = { readonly props: IconButtonProps; readonly label: string; readonly icon: ReactNode }

function iconButton({ props, label, icon }: IconParts): ReactNode {
  return (
    <Button
      small
      variant="quiet"
      id={props.id}
      aria-label={label}
      title={label}
      icon={icon}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    />
  )
}

/** The keyboard goes on at the list that the item was in. */
function RemoveButton(props: IconButtonProps): ReactNode {
  const remove: IconButtonProps['onClick'] = (event) => {
    const list = event.currentTarget.closest('fieldset')
    props.onClick?.(event)
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(':scope > button[id$="__add"]')?.focus())
  }
  return iconButton({ props: { ...props, onClick: remove }, label: 'Remove', icon: <X size={iconSize} /> })
}

function SubmitButton(): ReactNode {
  return null
}

/** Buttons of lists and of fields that can be added. */
export const formButtons: TemplatesType['ButtonTemplates'] = {
  SubmitButton: SubmitButton as TemplatesType['ButtonTemplates']['SubmitButton'],
  AddButton: ({ id, onClick, disabled = false }) => (
    <Button small id={id} icon={<Plus size={iconSize} />} disabled={disabled} onClick={onClick}>
      Add
    </Button>
  ),
  CopyButton: (props) => iconButton({ props, label: 'Copy', icon: <Copy size={iconSize} /> }),
  MoveDownButton: (props) => iconButton({ props, label: 'Move down', icon: <ArrowDown size={iconSize} /> }),
  MoveUpButton: (props) => iconButton({ props, label: 'Move up', icon: <ArrowUp size={iconSize} /> }),
  RemoveButton,
  ClearButton: (props) => iconButton({ props, label: 'Clear', icon: <X size={iconSize} /> }),
}
