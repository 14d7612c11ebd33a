import { isObject, type JsonObject, type StepType } from '@trestle/protocol'
import { invalid } from '../../api/api-error.ts'
import { isControlOf } from '../../compose/step-outputs.ts'
import { compact, readText, toObject } from '../../json/json.ts'

/** A v1 step without its names and type. */
export interface LegacyStep {
  readonly type: StepType
  /** The content, by v1 names or as control values. */
  readonly content: JsonObject
  /** The other fields of the step, such as conditions. */
  readonly rest: JsonObject
  /** The path of the step, for errors. */
  readonly place: string
}

/** Fields of a stored template that do not affect its step. */
const recordFields: ReadonlySet<string> = new Set([
  ...[
    '_id',
    '_organizationId',
    '_environmentId',
    '_creatorId',
    '_parentId',
    'createdAt',
    'updatedAt',
    'deleted',
    '__v',
  ],
  ...['type', 'name', 'active', 'contentType', 'variables', 'actor', 'cta'],
])

/** Fields that are converted, by step type. */
const convertedFields: Readonly<Partial<Record<StepType, readonly string[]>>> = {
  email: ['senderName', '_layoutId'],
  in_app: ['_feedId'],
  push: ['title'],
}

/** Returns whether the template of a v1 step of a type can have a field. */
export function isTemplateField(type: StepType, name: string): boolean {
  if (recordFields.has(name) || isControlOf(type, name) || convertedFields[type]?.includes(name)) return true
  return name === 'content' && isControlOf(type, 'body')
}

/**
 * Returns the control values of a v1 step. Its `content` becomes the body, the `title` of a push message the subject,
 * its call to action the one of the inbox, and its `metadata` the wait. A bare variable name refers to a field of the
 * payload. Other fields are kept.
 *
 * @throws {ApiError} 422 for settings that would be lost: conditions, variants, an inactive step
 */
export function toControlValues({ type, content: template, rest, place }: LegacyStep): JsonObject {
  refuseLost({ ...rest, template }, place)
  const { content, title, cta, actor, _feedId, _layoutId, senderName, ...given } = template
  const fields = type === 'custom' ? template : Object.fromEntries(Object.entries(given).filter(isControl))
  const blocks = Array.isArray(content) && content.length > 0 ? content.map(toHtml) : undefined
  if (blocks && (type !== 'email' || blocks.includes(undefined)))
    throw invalid(`${place}.template.content`, 'must be a string, or for an email a list of texts and buttons')
  if (type !== 'in_app' && Object.keys(toActions(cta)).length > 0)
    throw invalid(`${place}.template.cta`, 'is only supported in a step of type in_app')
  const values = {
    ...fields,
    ...(readText(content) === undefined ? {} : { body: content }),
    ...(blocks ? { body: blocks.join('\n') } : {}),
    ...(type === 'push' && readText(title) ? { subject: title } : {}),
    ...(type === 'email' && readText(_layoutId) ? { layoutId: _layoutId } : {}),
    ...(type === 'email' && readText(senderName) ? { from: { ...toObject(fields['from']), name: senderName } } : {}),
    ...(type === 'in_app' ? { feedId: _feedId ?? fields['feedId'], ...toAvatar(actor, place), ...toActions(cta) } : {}),
    ...toWait(rest['metadata'], `${place}.metadata`),
  }
  return rename(compact(values), place) as JsonObject
}

const isControl = ([name]: readonly [string, unknown]): boolean => !recordFields.has(name)

/** Rejects settings that have no counterpart. */
function refuseLost(step: JsonObject, place: string): void {
  const { filters, variants, shouldStopOnFail, active, replyCallback } = step
  const { variables, active: isTemplateActive } = toObject(step['template'])
  const refuse = (isMet: boolean, field: string, message: string): void => {
    if (isMet) throw invalid(`${place}.${field}`, message)
  }
  const conditions = Array.isArray(filters) ? filters.flatMap((one) => toObject(one)['children'] ?? []) : []
  refuse(
    conditions.length > 0,
    'filters',
    'are not supported here; write the condition as the rule "skip" of the template',
  )
  refuse(isFilled(variants), 'variants', 'are not supported; put the differences into a template')
  refuse(active === false, 'active', 'must be true; remove a step that should not run')
  refuse(isTemplateActive === false, 'template.active', 'must be true; remove a step that should not run')
  refuse(shouldStopOnFail === true, 'shouldStopOnFail', 'must be false; a failed step does not end its run')
  refuse(toObject(replyCallback)['active'] === true, 'replyCallback', 'is not supported; use an inbound email domain')
  refuse(
    Array.isArray(variables) && variables.some(isStrict),
    'template.variables',
    'must not be required or have default values; use the filter "default" in the template, and a payload schema',
  )
}

const isStrict = (variable: unknown): boolean => {
  const { required, defaultValue = '' } = toObject(variable)
  return required === true || (defaultValue !== '' && defaultValue !== null)
}

/** Returns the avatar of an actor that has its own picture. The inbox of API v1 draws the other kinds itself. */
function toAvatar(actor: unknown, place: string): JsonObject {
  const { type = 'none', data } = toObject(actor)
  if (type === 'none') return {}
  if (type === 'system_custom' && readText(data)) return { avatar: data }
  throw invalid(`${place}.template.actor`, 'must be none, or system_custom with the URL of a picture')
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Returns an email block as HTML; `undefined` for an unknown type. The content of a block is HTML. */
function toHtml(block: unknown): string | undefined {
  const { type, content, url, styles } = toObject(block)
  const align = readText(toObject(styles)['textAlign'])
  const start = align && /^(left|center|right)$/.test(align) ? `<div style="text-align: ${align}">` : '<div>'
  if (typeof content !== 'string') return undefined
  if (type === 'text') return `${start}${content}</div>`
  if (type !== 'button' || typeof url !== 'string') return undefined
  return `${start}<a href="${url.replaceAll('"', '&quot;')}">${content}</a></div>`
}

function toActions(cta: unknown): JsonObject {
  const { data, action } = toObject(cta)
  const { url, target } = toObject(data)
  const buttons = toObject(action)['buttons']
  const find = (type: string): unknown => {
    const button = Array.isArray(buttons) ? buttons.find((one) => isObject(one) && one['type'] === type) : undefined
    const { content, url: address } = toObject(button)
    if (!readText(content)) return undefined
    const leadsTo = readText(address) || readText(url)
    return { label: content, ...(leadsTo ? { redirect: { url: leadsTo } } : {}) }
  }
  return compact({
    redirect: readText(url) ? compact({ url, target: readText(target) }) : undefined,
    primaryAction: find('primary'),
    secondaryAction: find('secondary'),
  })
}

/** Digests by time of day, and waits until a payload time, use other fields. */
function toWait(metadata: unknown, place: string): JsonObject {
  const { type = 'regular', amount, unit, digestKey } = toObject(metadata)
  if (!isFilledObject(metadata)) return {}
  if (type !== 'regular')
    throw invalid(
      `${place}.type`,
      'must be regular; for other waits set "cron", "dynamicKey" or "lookBackWindow" in the template',
    )
  const key = readText(digestKey)
  return compact({
    amount,
    unit,
    digestKey: key && /^(payload|subscriber|context)\./.test(key) ? key : key && `payload.${key}`,
  })
}

const isFilledObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

const helper = /\{\{\{?\s*(?:[#/^>&]|else\b)/
const variable = /\{\{(\{?)\s*([A-Za-z_]\w*)((?:\.\w+)*)\s*(\}?)\}\}/g
/** Root variables of templates in v1 or here. */
const roots: ReadonlySet<string> = new Set([
  ...['payload', 'subscriber', 'context', 'steps', 'env', 'actor', 't', 'step', 'tenant', 'branding', 'i18n'],
])

/** Prefixes variables that are payload fields with `payload.`. */
function rename(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, place))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rename(item, place)]))
  if (typeof value !== 'string') return value
  if (helper.test(value))
    throw invalid(`${place}.template`, 'must not hold helpers such as {{#if}}: templates are written in Liquid', value)
  if (value.includes('{%')) return value
  return value.replace(variable, (...match: readonly string[]) => {
    const [all = '', open = '', root = '', path = ''] = match
    const isKnown = roots.has(root)
    if (isKnown && open === '') return all
    return `{{ ${isKnown ? '' : 'payload.'}${root}${path}${open === '' ? '' : ' | raw'} }}`
  })
}
