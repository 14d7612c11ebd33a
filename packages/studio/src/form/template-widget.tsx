import type { WidgetProps } from '@rjsf/utils'
import { splitPointer } from '@trestle/protocol'
import { type ReactNode, useMemo } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import type { TemplateVariable } from '../editor/template-completion.ts'
import { TemplateText } from './template-text.tsx'
import type { ValueIssue } from './values/form-validator.ts'

const none: readonly TemplateVariable[] = []
const tag = /<[a-z!/][^>]*>/i

/** Edits a template: HTML in a code editor, other texts in a field with the height of its lines. */
export function TemplateWidget(props: WidgetProps): ReactNode {
  const { id, value, onChange, options, rawErrors = [], schema, label } = props
  const marks = useMarks(props)
  const { variables = none } = props.registry.formContext as FormContext
  const change = (text: string): void =>
    onChange(text === '' && options.emptyValue !== undefined ? options.emptyValue : text)
  if (isHtml(schema))
    return (
      <CodeEditor
        language="html"
        label={label}
        value={String(value ?? '')}
        onChange={change}
        marks={marks}
        variables={variables}
        minRows={4}
      />
    )
  return (
    <TemplateText
      id={id}
      value={String(value ?? '')}
      onChange={change}
      variables={variables}
      placeholder={value === null ? 'null' : undefined}
      isInvalid={rawErrors.length > 0}
      describedBy={`${id}__error ${id}__description`}
    />
  )
}

/** Depends on the schema, not on the value, so that the input does not change while typing. */
function isHtml({ format, contentMediaType, default: byDefault }: WidgetProps['schema']): boolean {
  return format === 'html' || contentMediaType === 'text/html' || (typeof byDefault === 'string' && tag.test(byDefault))
}

interface FormContext {
  readonly issues?: readonly ValueIssue[]
  readonly idPrefix?: string
  readonly variables?: readonly TemplateVariable[]
}

function useMarks({ id, registry }: WidgetProps): readonly { line: number; column: number; message: string }[] {
  const { issues, idPrefix } = registry.formContext as FormContext
  return useMemo(
    () =>
      (issues ?? []).flatMap(({ path, line, column = 1, message }) =>
        line !== undefined && [idPrefix, ...splitPointer(path)].join('_') === id ? [{ line, column, message }] : [],
      ),
    [issues, idPrefix, id],
  )
}
