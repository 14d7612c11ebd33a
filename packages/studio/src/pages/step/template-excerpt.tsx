import type { ReactNode } from 'react'
import style from './step.module.css'

const around = 2

/** A place in the template of a control. */
export interface TemplatePlace {
  /** The control, as in `/subject`. */
  readonly path: string
  /** What is wrong there. */
  readonly message: string
  /** Line, from 1. */
  readonly line: number
  /** Column, from 1. */
  readonly column: number
}

/** What the excerpt of a template is given. */
export interface TemplateExcerptProps {
  /** The template. */
  readonly template: string
  /** Where it is broken. */
  readonly place: TemplatePlace
}

/** Shows the lines around a broken place of a template, with the place marked. */
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
