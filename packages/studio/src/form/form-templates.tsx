import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldErrorProps,
  FieldTemplateProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  TemplatesType,
} from '@rjsf/utils'
import { buttonId, canExpand, errorId, getTemplate, getUiOptions } from '@rjsf/utils'
import type { ReactNode } from 'react'
import style from './form.module.css'
import { ArrayFieldItemButtonsTemplate, WrapIfAdditionalTemplate } from './item-templates.tsx'
import { placeName } from './values/place-name.ts'

/** A field with its label, its description and its errors. */
function FieldTemplate(props: FieldTemplateProps): ReactNode {
  const { id, label, required, displayLabel, hidden, children, errors, description, registry, uiSchema } = props
  const Wrap = getTemplate<'WrapIfAdditionalTemplate'>('WrapIfAdditionalTemplate', registry, uiSchema)
  if (hidden) return <div hidden>{children}</div>
  const isCheckbox = props.schema.type === 'boolean' && (uiSchema?.['ui:widget'] ?? 'checkbox') === 'checkbox'
  return (
    <Wrap {...props}>
      <div className={style['field']} data-invalid={(props.rawErrors?.length ?? 0) > 0 || undefined}>
        {displayLabel && !isCheckbox && (
          <label htmlFor={id} className={style['label']}>
            {label}
            {!required && <span className={style['optional']}>optional</span>}
          </label>
        )}
        {displayLabel && description}
        {children}
        {errors}
      </div>
    </Wrap>
  )
}

/** An object with its fields, in a frame if it is nested. */
function ObjectFieldTemplate(props: ObjectFieldTemplateProps): ReactNode {
  const { fieldPathId, title, description, properties, schema, uiSchema, formData, registry } = props
  const { AddButton } = registry.templates.ButtonTemplates
  const isRoot = fieldPathId.path.length === 0
  const isUntitledItem = schema.title === undefined && typeof fieldPathId.path.at(-1) === 'number'
  return (
    <fieldset id={fieldPathId.$id} className={isRoot ? style['root'] : style['object']}>
      {!isRoot && title && (
        <legend className={style['legend']}>{isUntitledItem ? placeName(fieldPathId.path) : title}</legend>
      )}
      {description !== undefined && <p className={style['description']}>{description}</p>}
      {properties.map(({ content }) => content)}
      {canExpand(schema, uiSchema, formData) && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          title={placeName(fieldPathId.path)}
          onClick={props.onAddProperty}
          disabled={props.disabled || props.readonly}
          {...(uiSchema && { uiSchema })}
          registry={registry}
        />
      )}
    </fieldset>
  )
}

/** A list with its items and a button that adds one. */
function ArrayFieldTemplate(props: ArrayFieldTemplateProps): ReactNode {
  const { fieldPathId, title, items, canAdd, onAddClick, registry, uiSchema } = props
  const { AddButton } = registry.templates.ButtonTemplates
  return (
    <fieldset id={fieldPathId.$id} className={style['object']}>
      <legend className={style['legend']}>{title}</legend>
      {items}
      {canAdd && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          title={placeName(fieldPathId.path)}
          onClick={onAddClick}
          disabled={props.disabled || props.readonly}
          {...(uiSchema && { uiSchema })}
          registry={registry}
        />
      )}
    </fieldset>
  )
}

/** An item of a list, with its buttons. */
function ArrayFieldItemTemplate({
  children,
  buttonsProps,
  hasToolbar,
  registry,
}: ArrayFieldItemTemplateProps): ReactNode {
  const { ArrayFieldItemButtonsTemplate: Buttons } = registry.templates
  return (
    <div className={style['item']}>
      <div>{children}</div>
      {hasToolbar && (
        <div className={style['tools']}>
          <Buttons {...buttonsProps} />
        </div>
      )}
    </div>
  )
}

/** A value with several alternative schemas: a selection, then the form. */
function MultiSchemaFieldTemplate(props: MultiSchemaFieldTemplateProps): ReactNode {
  const { selector, optionSchemaField, uiSchema } = props
  const { place } = getUiOptions(uiSchema)
  return (
    <div className={style['choice']}>
      {selector && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the selector is a select.
        <label>
          <span className={style['optional']}>One of</span>
          {place && <span className="visually-hidden"> the types of {String(place)}</span>}
          {selector}
        </label>
      )}
      {optionSchemaField}
    </div>
  )
}

/** The errors of a field. */
function FieldErrorTemplate({ errors = [], fieldPathId }: FieldErrorProps): ReactNode {
  const texts = [...new Set(errors.map(String))]
  if (texts.length === 0) return null
  return (
    <ul id={errorId(fieldPathId)} className={style['errors']}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** The templates for the parts of a form. */
export const formTemplates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  ArrayFieldItemButtonsTemplate,
  WrapIfAdditionalTemplate,
  FieldErrorTemplate,
  MultiSchemaFieldTemplate,
}
