import type { ReactNode } from 'react'
import style from './step.module.css'

const around = 2

/** A position in a control's template. */
export interface TemplatePlace {
  /** The path of the control, such as `/subject`. */
  readonly path: string
  /** The error message. */
  readonly message: string
  /** The line, starting at 1. */
  readonly line: number
  /** The column, starting at 1. */
  readonly column: number
}

export interface TemplateExcerptProps {
  readonly template: string
  /** The position of the error. */
  readonly place: TemplatePlace
}

/** Shows the lines around an error in a template, and marks its position. */
export function TemplateExcerpt({ template, place }: TemplateExcerptProps): ReactNode {
  const { path, line, column, message } = place
  const first = Math.max(1, line - around)
  const lines = template.split('\n').slice(first - 1, line + around)
  return (
    <figure className={style['excerpt']}>
      <figcaption>
        <code>{path}</code>, line {line}, column {column}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section aria-label="The template around the error" tabIndex={0}>
        <ol>
          {lines.map((text, index) => {
            const number = first + index
            const isBroken = number === line
            return (
              <li key={number} className={isBroken ? style['broken'] : undefined}>
                <span className={style['number']}>{number}</span>
                <span>
                  <code>{text || ' '}</code>
                  {isBroken && (
                    <code className={style['caret']}>
                      {' '.repeat(Math.max(0, column - 1))}^ {message}
                    </code>
                  )}
                </span>
              </li>
            )
          })}
        </ol>
      </section>
    </figure>
  )
}
