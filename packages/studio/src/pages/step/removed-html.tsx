import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import style from './step.module.css'
import type { Removal } from './use-preview.ts'

/** Lists the HTML removed from a step's output, by line and column. */
export function RemovedHtml({ removed }: { readonly removed: readonly Removal[] }): ReactNode {
  const title =
    removed.length === 1 ? 'One part was removed from the HTML' : `${removed.length} parts were removed from the HTML`
  return (
    <Notice tone="warn" title={title} code="HtmlSanitized">
      <ul className={style['removed']}>
        {removed.map(({ kind, name, line, column }) => (
          <li key={`${kind} ${name} ${line} ${column}`}>
            <span>{kind}</span>
            <code>{kind === 'element' ? `<${name}>` : name}</code>
            <span className={style['place']}>
              line {line}, column {column}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
