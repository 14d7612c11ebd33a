import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'

const shownMs = 1600

export interface CopyButtonProps {
  /** The text to copy. */
  readonly text: string
  /** The accessible label, such as `Copy the identifier`. */
  readonly label: string
  /** The label of the button; absent to show only an icon. */
  readonly children?: ReactNode
}

/** Copies a text to the clipboard, and shows a confirmation. */
export function CopyButton({ text, label, children }: CopyButtonProps): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <>
      <Button
        small
        variant={children === undefined ? 'quiet' : 'plain'}
        aria-label={children === undefined ? label : undefined}
        tip={label}
        icon={copied ? <Check size={14} /> : <Copy size={14} />}
        onClick={copy}
      >
        {children}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}
