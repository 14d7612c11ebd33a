import CoreInput from '@rjsf/core/lib/components/templates/BaseInputTemplate.js'
import CoreSelect from '@rjsf/core/lib/components/widgets/SelectWidget.js'
import { type BaseInputTemplateProps, getTemplate, type WidgetProps } from '@rjsf/utils'
import type { ReactNode } from 'react'

/** Asks for a line of text or a number; while it is empty it shows what holds then: null, or the default. */
export function DefaultedInput(props: BaseInputTemplateProps): ReactNode {
  return (
    <CoreInput
      {...props}
      placeholder={props.placeholder || (props.value === null ? 'null' : defaultOf(props.schema))}
    />
  )
}

/** Asks for one of several values; while none is chosen it shows the default that holds then. */
export function DefaultedSelect(props: WidgetProps): ReactNode {
  const { default: byDefault, ...schema } = props.schema
  if (byDefault === undefined || props.value !== undefined) return <CoreSelect {...props} />
  return <CoreSelect {...props} schema={schema} placeholder={`${defaultOf(props.schema)} (default)`} />
}

/** Asks for a line of text. */
export function PlainText(props: WidgetProps): ReactNode {
  const { options, registry } = props
  const Input = getTemplate<'BaseInputTemplate'>('BaseInputTemplate', registry, options)
  return <Input type="text" {...props} />
}

function defaultOf({ default: byDefault }: WidgetProps['schema']): string {
  return byDefault === undefined || byDefault === null || typeof byDefault === 'object' ? '' : String(byDefault)
}
