import Form from '@rjsf/core/lib/components/Form.js'
import { type ErrorSchema, ErrorSchemaBuilder, type RJSFSchema, type UiSchema } from '@rjsf/utils'
import { type ReactNode, useMemo } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import { DefaultedInput, DefaultedSelect, PlainText } from './defaulted-inputs.tsx'
import style from './form.module.css'
import { formButtons } from './form-buttons.tsx'
import { FormField } from './form-field.tsx'
import { formTemplates } from './form-templates.tsx'
import { ListField } from './list-field.tsx'
import { TemplateWidget } from './template-widget.tsx'
import { findIssues, formValidator, splitPath, type ValueIssue } from './values/form-validator.ts'

/** What a form made from a schema is given. */
export interface RjsfFormProps {
  /** JSON Schema of the value, of an object. */
  readonly schema: JsonSchema
  /** The value. */
  readonly value: unknown
  /** Receives the value as it is edited. */
  onChange(value: unknown): void
  /** Whether texts are templates, which are long and read by machines. @default false */
  readonly templates?: boolean
  /** What others found wrong, by the path of the field, as in `/items/0/name`. */
  readonly issues?: readonly ValueIssue[]
  /** Comes before the ids of the fields; forms of one page need different ones. */
  readonly idPrefix: string
}

const none: readonly ValueIssue[] = []
const uiSchema: UiSchema = { 'ui:submitButtonOptions': { norender: true } }
/** A form shows the value as it is. Defaults that it filled in would be sent without anyone having seen them in the JSON. */
const asItIs = {
  emptyObjectFields: 'skipDefaults',
  allOf: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
} as const
const templates = { ...formTemplates, BaseInputTemplate: DefaultedInput, ButtonTemplates: formButtons }
/** A time of day has an offset, as in `09:30:00Z`, for which a browser's own field has no place. */
const widgets = { SelectWidget: DefaultedSelect, TimeWidget: PlainText }
const fields = { SchemaField: FormField, ArrayField: ListField }
const templateWidgets = { ...widgets, TextWidget: TemplateWidget }

/** Edits a value by a form made from its JSON Schema, and says what does not fit it. */
export function RjsfForm(props: RjsfFormProps): ReactNode {
  const { schema, value, onChange, issues = none, idPrefix } = props
  const extraErrors = useMemo(() => toErrorSchema(findIssues(schema, value), issues), [schema, value, issues])
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
      formContext={{ issues, idPrefix }}
      noHtml5Validate
      showErrorList={false}
    />
  )
}

/** What others found stands in place of what the form found at the same field: it is nearer to the truth. */
function toErrorSchema(own: readonly ValueIssue[], others: readonly ValueIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder()
  const told = new Set(others.map(({ path }) => path))
  for (const { path, message } of [...own.filter((issue) => !told.has(issue.path)), ...others])
    builder.addErrors(message, splitPath(path))
  return builder.ErrorSchema
}
