import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import { OutsideLink } from '../ui/markdown/outside-link.tsx'
import style from './card.module.css'
import { listOf, textOf } from './outputs.ts'

/** Receives the id and value of a clicked button or selected option. */
export type CardListener = (id: string, value: string | undefined) => void

export interface CardActionsProps {
  /** The card part to show. */
  readonly part: unknown
  /** Receives clicks and selections; without it, the controls are disabled. */
  readonly onAct: CardListener | undefined
}

/** Shows a card's buttons and lists. */
export function CardActions({ part, onAct }: CardActionsProps): ReactNode {
  return (
    <div className={style['actions']}>
      {listOf(part, 'children').map((action, index) =>
        onAct ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
          <LiveAction key={index} action={action} onAct={onAct} />
        ) : (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
            key={index}
            className={classOf(action)}
            data-tip={textOf(action, 'url')}
          >
            {textOf(action, 'label')}
            {isSelect(action) && ' ▾'}
          </span>
        ),
      )}
    </div>
  )
}

interface LiveProps {
  readonly action: unknown
  readonly onAct: CardListener
}

function LiveAction({ action, onAct }: LiveProps): ReactNode {
  if (isSelect(action)) return <LiveSelect action={action} onAct={onAct} />
  const label = textOf(action, 'label') ?? textOf(action, 'url') ?? textOf(action, 'id')
  if (textOf(action, 'type') === 'link-button')
    return (
      <OutsideLink to={textOf(action, 'url')} className={classOf(action)}>
        {label}
      </OutsideLink>
    )
  return (
    <button
      type="button"
      className={classOf(action)}
      disabled={Reflect.get(action as object, 'disabled') === true}
      onClick={() => onAct(textOf(action, 'id') ?? '', textOf(action, 'value'))}
    >
      {label}
    </button>
  )
}

function LiveSelect({ action, onAct }: LiveProps): ReactNode {
  const id = useId()
  const initial = textOf(action, 'initialOption')
  return (
    <span className={style['select']}>
      <label htmlFor={id}>{textOf(action, 'label')}</label>
      <span className={style['selectBox']}>
        <select
          id={id}
          defaultValue={initial ?? ''}
          onChange={({ target }) => target.value !== '' && onAct(textOf(action, 'id') ?? '', target.value)}
        >
          {initial === undefined && <option value="">{textOf(action, 'placeholder') ?? 'Choose'}</option>}
          {listOf(action, 'options').map((option) => (
            <option key={textOf(option, 'value')} value={textOf(option, 'value')}>
              {textOf(option, 'label')}
            </option>
          ))}
        </select>
        <ChevronDown size={14} aria-hidden />
      </span>
    </span>
  )
}

function isSelect(action: unknown): boolean {
  return textOf(action, 'type')?.includes('select') === true
}

function classOf(action: unknown): string {
  return [style['action'], ownEntry(style, textOf(action, 'style') ?? '')].filter(Boolean).join(' ')
}
