import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemButtonsTemplateProps,
  buttonId,
  getUiOptions,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils'
import type { ReactNode } from 'react'
import style from './form.module.css'
import { placeName } from './values/place-name.ts'

/** The buttons of a list item, which include the item's name. */
export function ArrayFieldItemButtonsTemplate(props: ArrayFieldItemButtonsTemplateProps): ReactNode {
  const { disabled, readonly, fieldPathId, registry, uiSchema, hasMoveUp, hasMoveDown } = props
  const { MoveUpButton, MoveDownButton, CopyButton, RemoveButton } = registry.templates.ButtonTemplates
  const isFixed = disabled || readonly
  const common = { title: placeName(fieldPathId.path), registry, ...(uiSchema && { uiSchema }) }
  const id = (name: string): string => buttonId(fieldPathId, name as 'remove')
  return (
    <>
      {(hasMoveUp || hasMoveDown) && (
        <>
          <MoveUpButton {...common} id={id('moveUp')} disabled={isFixed || !hasMoveUp} onClick={props.onMoveUpItem} />
          <MoveDownButton
            {...common}
            id={id('moveDown')}
            disabled={isFixed || !hasMoveDown}
            onClick={props.onMoveDownItem}
          />
        </>
      )}
      {props.hasCopy && <CopyButton {...common} id={id('copy')} disabled={isFixed} onClick={props.onCopyItem} />}
      {props.hasRemove && (
        <RemoveButton {...common} id={id('remove')} disabled={isFixed} onClick={props.onRemoveItem} />
      )}
    </>
  )
}

/** An additional property, which can be renamed and removed. */
export function WrapIfAdditionalTemplate(props: WrapIfAdditionalTemplateProps): ReactNode {
  const { id, label, schema, disabled, readonly, children, onKeyRenameBlur, onRemoveProperty, registry, uiSchema } =
    props
  const { RemoveButton } = registry.templates.ButtonTemplates
  const { place } = getUiOptions(uiSchema)
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children
  return (
    <div className={style['item']}>
      <div className={style['choice']}>
        <label>
          <span className={style['optional']}>Name</span>
          <input
            key={label}
            type="text"
            className="form-control"
            id={`${id}-key`}
            defaultValue={label}
            disabled={disabled || readonly}
            onBlur={onKeyRenameBlur}
          />
        </label>
        {children}
      </div>
      <div className={style['tools']}>
        <RemoveButton
          title={place ? String(place) : label}
          id={buttonId(id, 'remove')}
          disabled={disabled || readonly}
          onClick={onRemoveProperty}
          registry={registry}
          {...(uiSchema && { uiSchema })}
        />
      </div>
    </div>
  )
}
