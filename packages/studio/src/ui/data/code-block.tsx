import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.tsx'
import style from './code-block.module.css'

/** What a block of code is given. */
export interface CodeBlockProps {
  /** The code. */
  readonly text: string
  /** What it is, for screen readers. */
  readonly label: string
}

/** Shows code or JSON that is only read, with a button that copies it. */
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

/** Shows a value as JSON that is only read. */
export function JsonBlock({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? 'undefined'} label={label} />
}
