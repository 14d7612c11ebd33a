import type { IconButtonProps, TemplatesType } from '@rjsf/utils'
import { ArrowDown, ArrowUp, Copy, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

const iconSize = 14

type IconParts = { readonly props: IconButtonProps; readonly verb: string; readonly icon: ReactNode }

/** The title of a button includes its item, so that the buttons in a form have different names. */
function iconButton({ props, verb, icon }: IconParts): ReactNode {
  const label = props.title ? `${verb} ${props.title}` : verb
  return (
    <Button
      small
      variant="quiet"
      id={props.id}
      aria-label={label}
      icon={icon}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    />
  )
}

function SubmitButton(): ReactNode {
  return null
}

/** Buttons of lists and of optional fields. */
export const formButtons: TemplatesType['ButtonTemplates'] = {
  SubmitButton: SubmitButton as TemplatesType['ButtonTemplates']['SubmitButton'],
  // Receives focus when an item is removed.
  AddButton: ({ id, onClick, title, disabled = false }) => (
    <Button
      small
      id={id}
      aria-label={title ? `Add to ${title}` : undefined}
      data-onward
      icon={<Plus size={iconSize} />}
      disabled={disabled}
      onClick={onClick}
    >
      Add
    </Button>
  ),
  CopyButton: (props) => iconButton({ props, verb: 'Copy', icon: <Copy size={iconSize} /> }),
  MoveDownButton: (props) => iconButton({ props, verb: 'Move down', icon: <ArrowDown size={iconSize} /> }),
  MoveUpButton: (props) => iconButton({ props, verb: 'Move up', icon: <ArrowUp size={iconSize} /> }),
  RemoveButton: (props) => iconButton({ props, verb: 'Remove', icon: <X size={iconSize} /> }),
  ClearButton: (props) => iconButton({ props, verb: 'Clear', icon: <X size={iconSize} /> }),
}
