import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, useId, useRef } from 'react'
import { mainElement } from '../main-element.ts'
import menu from './choice-menu.module.css'
import style from './field.module.css'
import own from './suggest-field.module.css'

/** A suggested value. */
export interface Suggestion {
  /** The value, such as an identifier. */
  readonly value: string
  /** What identifies it for people, such as a name. */
  readonly text?: string | undefined
}

export interface SuggestFieldProps {
  /** Its name. */
  readonly label: string
  /** Whether the label is only for screen readers. @default false */
  readonly hideLabel?: boolean
  /** The typed text. */
  readonly value: string
  /** Receives the typed text or the value of the selected suggestion. */
  onChange(value: string): void
  /** Receives the value of a selected suggestion. */
  readonly onPick?: ((value: string) => void) | undefined
  /** The suggestions for the typed text; undefined while they load. */
  readonly suggestions: readonly Suggestion[] | undefined
  /** A hint below the field. */
  readonly hint?: ReactNode
  /** The error of the value. */
  readonly error?: string | undefined
  readonly placeholder?: string
  /** Whether the popup opens as soon as the field has the focus. @default false */
  readonly autoFocus?: boolean
}

/** A field for a text, with suggestions while it is typed. */
export function SuggestField(props: SuggestFieldProps): ReactNode {
  const { label, hideLabel = false, value, onChange, onPick, suggestions, hint, error, placeholder, autoFocus } = props
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const described = error === undefined && hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={style['field']} ref={field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : style['label']}>
        {label}
      </label>
      <Autocomplete.Root
        items={suggestions ?? []}
        mode="none"
        openOnInputClick
        value={value}
        onValueChange={onChange}
        itemToStringValue={({ value: text }: Suggestion) => text}
      >
        <Autocomplete.Input
          id={id}
          // The popup hides the rest of the page, including the label, from screen readers.
          aria-label={label}
          className={`${style['input']} ${style['mono']}`}
          placeholder={placeholder}
          autoFocus={autoFocus}
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described}
        />
        <Autocomplete.Portal container={containerOf(field.current)}>
          <Autocomplete.Positioner className={menu['positioner']} align="start" sideOffset={4}>
            <Suggestions isLoading={suggestions === undefined} onPick={onPick} />
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      {described !== undefined && (
        <p id={described} className={error === undefined ? style['hint'] : style['error']}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface SuggestionsProps extends Pick<SuggestFieldProps, 'onPick'> {
  readonly isLoading: boolean
}

function Suggestions({ isLoading, onPick }: SuggestionsProps): ReactNode {
  return (
    <Autocomplete.Popup className={`${menu['popup']} ${own['popup']}`}>
      <Autocomplete.Empty className={own['empty']}>{isLoading ? 'Searching…' : 'Nothing found'}</Autocomplete.Empty>
      <Autocomplete.List>
        {(item: Suggestion) => (
          <Autocomplete.Item
            key={item.value}
            value={item}
            className={`${menu['item']} ${own['item']}`}
            onClick={() => onPick?.(item.value)}
          >
            <span className={style['mono']}>{item.value}</span>
            {item.text !== undefined && item.text !== '' && <span className={own['text']}>{item.text}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Popup>
  )
}

/** A modal dialog hides everything outside from screen readers, so its popups open inside. */
const containerOf = (field: Element | null): HTMLElement | undefined =>
  field?.closest<HTMLElement>('[role=dialog]') ?? mainElement() ?? undefined
