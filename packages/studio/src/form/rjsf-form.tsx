import Form from '@rjsf/core/lib/components/Form.js'
import { type ErrorSchema, ErrorSchemaBuilder, type RJSFSchema, type UiSchema } from '@rjsf/utils'
import { type ReactNode, useMemo } from 'react'
import type { JsonSchema } from '../api/bridge.ts'
import style from './form.module.css'
import { formButtons } from './form-buttons.tsx'
import { formTemplates } from './form-templates.tsx'
import { formValidator } from './form-validator.ts'
import { TemplateWidget } from './template-widget.tsx'

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
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
  /** Comes before the ids of the fields; forms of one page need different ones. */
  readonly idPrefix: string
}

const uiSchema: UiSchema = { 'ui:submitButtonOptions': { norender: true } }
/** A form shows the value as it is. Defaults that it filled in would be sent without anyone having seen them in the JSON. */
const asItIs = {
  emptyObjectFields: 'skipDefaults',
  allOf: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
} as const
const templates = { ...formTemplates, ButtonTemplates: formButtons }

/** Edits a value by a form made from its JSON Schema, and says what does not fit it. */
export function RjsfForm(props: RjsfFormProps): ReactNode {
  const { schema, value, onChange, issues = [], idPrefix } = props
  const extraErrors = useMemo(() => toExtraErrors(issues), [issues])
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
      widgets={props.templates ? { TextWidget: TemplateWidget } : {}}
      onChange={({ formData }) => onChange(formData)}
      extraErrors={extraErrors}
      experimental_defaultFormStateBehavior={asItIs}
      liveValidate
      noHtml5Validate
      showErrorList={false}
    />
  )
}

function toExtraErrors(issues: readonly { readonly path: string; readonly message: string }[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder()
  for (const { path, message } of issues) builder.addErrors(message, path.split('/').filter(Boolean))
  return builder.ErrorSchema
}
