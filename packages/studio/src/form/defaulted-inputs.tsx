import CoreInput from '@rjsf/core/lib/components/templates/BaseInputTemplate.js'
import CoreSelect from '@rjsf/core/lib/components/widgets/SelectWidget.js'
import { type BaseInputTemplateProps, getTemplate, type WidgetProps } from '@rjsf/utils'
import type { ReactNode } from 'react'

/** Edits a line of text or a number. While the value is empty, shows the effective value: null or the default. */
export function DefaultedInput(props: BaseInputTemplateProps): ReactNode {
  return (
    <CoreInput
      {...props}
      placeholder={props.placeholder || (props.value === null ? 'null' : defaultOf(props.schema))}
    />
  )
}

/** Selects one of several values. Shows the effective default if no value is selected. */
export function DefaultedSelect(props: WidgetProps): ReactNode {
  const { default: byDefault, ...schema } = props.schema
  if (byDefault === undefined || props.value !== undefined) return <CoreSelect {...props} />
  return <CoreSelect {...props} schema={schema} placeholder={`${defaultOf(props.schema)} (default)`} />
}

/** Edits a line of text. */
export function PlainText(props: WidgetProps): ReactNode {
  const { options, registry } = props
  const Input = getTemplate<'BaseInputTemplate'>('BaseInputTemplate', registry, options)
  return <Input type="text" {...props} />
}

function defaultOf({ default: byDefault }: WidgetProps['schema']): string {
  return byDefault === undefined || byDefault === null || typeof byDefault === 'object' ? '' : String(byDefault)
}
