import Form from '@rjsf/core/lib/components/Form.js'
import { type ErrorSchema, ErrorSchemaBuilder, type RJSFSchema, type UiSchema } from '@rjsf/utils'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import type { TemplateVariable } from '../editor/template-completion.ts'
import { DefaultedInput, DefaultedSelect, PlainText } from './defaulted-inputs.tsx'
import style from './form.module.css'
import { formButtons } from './form-buttons.tsx'
import { FormField } from './form-field.tsx'
import { formTemplates } from './form-templates.tsx'
import { ListField } from './list-field.tsx'
import { TemplateWidget } from './template-widget.tsx'
import { findIssues, formValidator, splitPath, type ValueIssue } from './values/form-validator.ts'

export interface RjsfFormProps {
  /** The JSON Schema of the value, which is an object. */
  readonly schema: JsonSchema
  readonly value: unknown
  /** Receives the edited value. */
  onChange(value: unknown): void
  /** Whether strings are templates, which can be long and contain code. @default false */
  readonly templates?: boolean
  /** The variables that the templates can print. @default none are completed */
  readonly variables?: readonly TemplateVariable[] | undefined
  /** Additional errors by field path, such as `/items/0/name`. */
  readonly issues?: readonly ValueIssue[]
  /** Receives the errors of the value, and none when the form is removed. It must not change between renders. */
  readonly onIssues?: (issues: readonly ValueIssue[]) => void
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
  const { schema, value, onChange, onIssues, issues = none, idPrefix, variables } = props
  const own = useMemo(() => findIssues(schema, value), [schema, value])
  const extraErrors = useMemo(() => toErrorSchema(own, issues), [own, issues])
  useEffect(() => {
    onIssues?.(own)
    return () => onIssues?.(none)
  }, [own, onIssues])
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

/** Additional errors replace the form's errors for the same field, because they are more precise. */
function toErrorSchema(own: readonly ValueIssue[], others: readonly ValueIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder()
  const otherPaths = new Set(others.map(({ path }) => path))
  for (const { path, message } of [...own.filter((issue) => !otherPaths.has(issue.path)), ...others])
    builder.addErrors(message, splitPath(path))
  return builder.ErrorSchema
}
