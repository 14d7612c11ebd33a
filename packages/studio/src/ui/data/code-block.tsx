import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.tsx'
import style from './code-block.module.css'

export interface CodeBlockProps {
  readonly text: string
  /** The accessible label. */
  readonly label: string
}

/** Shows read-only code or JSON, with a copy button. */
export function CodeBlock({ text, label }: CodeBlockProps): ReactNode {
  return (
    <div className={style['block']}>
      <div className={style['copy']}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  )
}

/** Shows a value as read-only JSON. */
export function JsonBlock({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? 'undefined'} label={label} />
}
