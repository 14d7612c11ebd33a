import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import style from './conversation.module.css'
import type { Acts } from './use-acts.ts'

const maxLength = 100_000

export interface ComposerProps {
  /** The available actions. */
  readonly acts: Acts
  /** Whether the conversation is open. */
  readonly isOpen: boolean
}

/** The field for a new message. Enter sends the message, Shift+Enter starts a new line. */
export function Composer({ acts, isOpen }: ComposerProps): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const send = (): void => {
    // Text that was entered during the request stays.
    if (text.trim() !== '' && !acts.isWriting) acts.write(text, () => setText((now) => (now === text ? '' : now)))
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // During composition, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className={style['composer']} onSubmit={onSubmit}>
      <label htmlFor={id} className="visually-hidden">
        Message
      </label>
      <textarea
        id={id}
        rows={2}
        value={text}
        maxLength={maxLength}
        placeholder={isOpen ? 'Write a message' : 'Write a message to reopen it'}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        needs="edit"
        type="submit"
        variant="primary"
        icon={<SendHorizontal size={15} />}
        disabled={text.trim() === ''}
      >
        Send
      </Button>
    </form>
  )
}
