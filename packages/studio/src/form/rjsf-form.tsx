import Form from '@rjsf/core/lib/components/Form.js'
import { type ErrorSchema, ErrorSchemaBuilder, type RJSFSchema, type UiSchema } from '@rjsf/utils'
import { splitPointer } from '@trestle/protocol'
import { type ReactNode, useMemo } from 'react'
import type { TemplateVariable } from '../editor/template-completion.ts'
import { DefaultedInput, DefaultedSelect, PlainText } from './defaulted-inputs.tsx'
import style from './form.module.css'
import { formButtons } from './form-buttons.tsx'
import { FormField } from './form-field.tsx'
import { formTemplates } from './form-templates.tsx'
import { ListField } from './list-field.tsx'
import { TemplateWidget } from './template-widget.tsx'
import { type CheckedValue, useIssues } from './use-issues.ts'
import { formValidator, type ValueIssue } from './values/form-validator.ts'

export interface RjsfFormProps extends CheckedValue {
  /** Receives the edited value. */
  onChange(value: unknown): void
  /** Whether strings are templates, which can be long and contain code. @default false */
  readonly templates?: boolean
  /** The variables that the templates can print. @default none are completed */
  readonly variables?: readonly TemplateVariable[] | undefined
  /** The prefix of field ids; forms on the same page need different ones. */
  readonly idPrefix: string
}

const none: readonly ValueIssue[] = []
const uiSchema: UiSchema = { 'ui:submitButtonOptions': { norender: true } }
/** The form does not fill in defaults, because they would be sent without being visible in the JSON. */
const asItIs = {
  emptyObjectFields: 'skipDefaults',
  allOf: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
} as const
const templates = { ...formTemplates, BaseInputTemplate: DefaultedInput, ButtonTemplates: formButtons }
/** A time has an offset, such as `09:30:00Z`, which the browser's native input does not support. */
const widgets = { SelectWidget: DefaultedSelect, TimeWidget: PlainText }
const fields = { SchemaField: FormField, ArrayField: ListField }
const templateWidgets = { ...widgets, TextWidget: TemplateWidget }

/** Edits a value in a form generated from its JSON Schema, and shows errors. */
export function RjsfForm(props: RjsfFormProps): ReactNode {
  const { schema, value, onChange, issues = none, idPrefix, variables } = props
  const allIssues = useIssues(props)
  const extraErrors = useMemo(() => toErrorSchema(allIssues), [allIssues])
  return (
    <Form
      className={style['form'] ?? ''}
      tagName="div"
      idPrefix={idPrefix}
      schema={schema as RJSFSchema}
      uiSchema={uiSchema}
      formData={value}
      validator={formValidator}
      templates={templates}
      fields={fields}
      widgets={props.templates ? templateWidgets : widgets}
      onChange={({ formData }) => onChange(formData)}
      extraErrors={extraErrors}
      experimental_defaultFormStateBehavior={asItIs}
      noValidate
      formContext={{ issues, idPrefix, variables }}
      noHtml5Validate
      showErrorList={false}
    />
  )
}

function toErrorSchema(issues: readonly ValueIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder()
  for (const { path, message } of issues) builder.addErrors(message, splitPointer(path))
  return builder.ErrorSchema
}
