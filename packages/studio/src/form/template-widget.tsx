import type { WidgetProps } from '@rjsf/utils'
import type { ReactNode } from 'react'
import style from './form.module.css'

/** Edits a text that is a template: as high as its lines, in letters for machines. */
export function TemplateWidget({ id, value, onChange, options, rawErrors = [], placeholder }: WidgetProps): ReactNode {
  return (
    <textarea
      id={id}
      className={style['template']}
      rows={1}
      spellCheck={false}
      value={value ?? ''}
      placeholder={placeholder}
      aria-invalid={rawErrors.length > 0 || undefined}
      aria-describedby={`${id}__error ${id}__description`}
      onChange={(event) => onChange(event.target.value === '' ? (options.emptyValue ?? '') : event.target.value)}
    />
  )
}
