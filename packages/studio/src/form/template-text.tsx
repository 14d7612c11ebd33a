import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import { findCompletion, type TemplateCompletion, type TemplateVariable } from '../editor/template-completion.ts'
import formStyle from './form.module.css'
import style from './template-text.module.css'

export interface TemplateTextProps {
  /** The id of the field. */
  readonly id: string
  readonly value: string
  /** Receives the edited text. */
  onChange(text: string): void
  /** The variables that the template can print. */
  readonly variables: readonly TemplateVariable[]
  readonly placeholder: string | undefined
  readonly isInvalid: boolean
  /** The ids of its error and its description. */
  readonly describedBy: string
}

/** Edits a template of one or a few lines, and completes its variables. */
export function TemplateText(props: TemplateTextProps): ReactNode {
  const { id, value, placeholder, isInvalid, describedBy } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { list, active, onPress, update, accept, close } = useCompletion(props, field)
  const listId = useId()
  return (
    <div className={style['field']}>
      <textarea
        ref={field}
        id={id}
        className={formStyle['template']}
        rows={1}
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-controls={list ? listId : undefined}
        aria-activedescendant={list ? `${listId}-${active}` : undefined}
        onChange={(event) => {
          props.onChange(event.target.value)
          update(event.target)
        }}
        onKeyDown={onPress}
        onBlur={close}
        onClick={close}
      />
      <span role="status" className="visually-hidden">
        {list && `${list.options.length} variables. Use the arrow keys, then Enter.`}
      </span>
      {list && <Options id={listId} options={list.options} active={active} onAccept={accept} />}
    </div>
  )
}

interface OptionsProps {
  readonly id: string
  readonly options: readonly TemplateVariable[]
  /** The index of the selected option. */
  readonly active: number
  onAccept(variable: TemplateVariable): void
}

function Options({ id, options, active, onAccept }: OptionsProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label="Variables" className={style['list']}>
      {options.map((variable, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus, and handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div
          key={variable.path}
          id={`${id}-${index}`}
          role="option"
          className={style['option']}
          aria-selected={index === active}
          // The text field keeps focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(variable)}
        >
          <code>{variable.path}</code>
          <span>{variable.type}</span>
        </div>
      ))}
    </div>
  )
}

interface Completing {
  readonly list: TemplateCompletion | undefined
  /** The index of the selected option. */
  readonly active: number
  onPress(event: KeyboardEvent<HTMLTextAreaElement>): void
  update(field: HTMLTextAreaElement): void
  accept(variable: TemplateVariable): void
  close(): void
}

function useCompletion(
  { value, variables, onChange }: TemplateTextProps,
  field: RefObject<HTMLTextAreaElement | null>,
): Completing {
  const [list, setList] = useState<TemplateCompletion>()
  const [active, setActive] = useState(0)
  const caret = useRef<number>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is set once the field shows the new value
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [value])

  const close = (): void => setList(undefined)
  const update = ({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement): void => {
    setActive(0)
    setList(selectionStart === selectionEnd ? findCompletion(text, selectionStart, variables) : undefined)
  }
  const accept = ({ path }: TemplateVariable): void => {
    const at = field.current?.selectionStart ?? value.length
    if (!list) return
    const inserted = path + list.end
    caret.current = list.from + inserted.length
    onChange(value.slice(0, list.from) + inserted + value.slice(at))
    close()
  }
  const onPress = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const action = actionOf(event, list !== undefined)
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const chosen = list?.options[active]
    const count = list?.options.length ?? 1
    if (action === 'open') update(event.currentTarget)
    else if (action === 'close') close()
    else if (action === 'accept' && chosen) accept(chosen)
    else if (action === 'next') setActive((active + 1) % count)
    else if (action === 'previous') setActive((active + count - 1) % count)
  }
  return { list, active, onPress, update, accept, close }
}

const actions: Readonly<Record<string, string>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Enter: 'accept',
  Escape: 'close',
}

function actionOf({ key, ctrlKey, nativeEvent }: KeyboardEvent, isOpen: boolean): string | undefined {
  if (ctrlKey && key === ' ') return 'open'
  return isOpen && !nativeEvent.isComposing ? ownEntry(actions, key) : undefined
}
