import { SmilePlus } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import type { ConversationMessage } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { Button } from '../../ui/button.tsx'
import { offeredEmojis, showEmoji } from './emoji.ts'
import style from './message.module.css'

export interface ReactionsProps {
  /** The reactions, oldest first. */
  readonly reactions: ConversationMessage['reactions']
  /** Whether the picker is open. */
  readonly isChoosing: boolean
  /** Receives a reaction to add or remove; without it, reactions are read-only. */
  readonly onReact: ((emoji: string, added: boolean) => void) | undefined
  /** Called after a reaction was picked. */
  onChosen(): void
}

/** Shows the reactions to a message, and the picker. */
export function Reactions({ reactions, isChoosing, onReact, onChosen }: ReactionsProps): ReactNode {
  const emojis = [...new Set(reactions.map(({ emoji }) => emoji))]
  const isMine = (emoji: string): boolean => reactions.some((one) => one.emoji === emoji && one.by === 'user')
  const countOf = (emoji: string): number => reactions.filter((one) => one.emoji === emoji).length
  if (emojis.length === 0 && !isChoosing) return null
  return (
    <div className={style['reactions']}>
      {emojis.map((emoji) => (
        <button
          key={emoji}
          type="button"
          className={style['reaction']}
          aria-pressed={isMine(emoji)}
          aria-label={`${emoji}, ${countOf(emoji)}`}
          disabled={!onReact}
          onClick={() => onReact?.(emoji, !isMine(emoji))}
        >
          {showEmoji(emoji)} {countOf(emoji)}
        </button>
      ))}
      {isChoosing &&
        offeredEmojis.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className={style['offer']}
            aria-label={`React with ${emoji}`}
            onClick={() => {
              onReact?.(emoji, !isMine(emoji))
              onChosen()
            }}
          >
            {showEmoji(emoji)}
          </button>
        ))}
    </div>
  )
}

export interface ReactButtonProps {
  /** Receives the button, to which focus returns. */
  readonly ref: Ref<HTMLButtonElement>
  /** Whether the picker is open. */
  readonly isChoosing: boolean
  /** Opens or closes the picker. */
  onChoose(isChoosing: boolean): void
}

/** The button that opens the reaction picker. */
export function ReactButton({ ref, isChoosing, onChoose }: ReactButtonProps): ReactNode {
  return (
    <Button
      needs="edit"
      ref={ref}
      small
      variant="quiet"
      className={ownEntry(style, isChoosing ? 'chosen' : 'add')}
      aria-label="React"
      aria-expanded={isChoosing}
      icon={<SmilePlus size={14} />}
      onClick={() => onChoose(!isChoosing)}
    />
  )
}
