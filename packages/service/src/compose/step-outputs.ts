import { findPath, isOfClass, type JsonObject, type StepType, type StepTypeOf } from '@trestle/protocol'
import { z } from 'zod'
import { jsonObject } from '../api/input.ts'
import { compact } from '../json/json.ts'
import { ComposeError } from './compose-error.ts'
import { requestControlNames } from './request-step.ts'

/** A duration, which a template may have rendered. */
const amount = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ],
  'must be a number',
)
const unit = z.enum(['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'], 'must be a unit of time, such as hours')
const filled = z.string('must be a string').min(1, 'must not be empty')
const text = z.string('must be a string')
const picture = text.regex(/^https?:\/\/\S+$/, 'must start with "https://" or "http://", and contain no spaces')
// A path that starts with two slashes (or a slash and a backslash) leads to a different host.
const address = filled.regex(
  /^(?:https?:\/\/\S+|\/(?![/\\])\S*)$/,
  'must start with "https://", "http://" or a single "/", and contain no spaces',
)
const target = z.enum(['_self', '_blank', '_parent', '_top', '_unfencedTop'], 'must be a link target, such as _blank')
const redirect = z.object({ url: address, target: target.optional() })
const action = z.object({ label: filled, redirect: redirect.optional() })
const cron = filled.optional()
const extendToSchedule = z.boolean().optional()

/** The controls of each step type that become outputs; others are for editors. */
const shapes: Readonly<Record<Exclude<StepType, StepTypeOf<'data'>>, z.ZodObject>> = {
  email: z.object({
    subject: filled,
    body: text.default(''),
    from: z.object({ email: text.optional(), name: text.optional() }).optional(),
    replyTo: text.optional(),
    preheader: text.optional(),
    useProviderDefaults: z.boolean().optional(),
    layoutId: filled.nullable().optional(),
  }),
  in_app: z
    .object({
      subject: text.optional(),
      body: text.optional(),
      avatar: z.union([z.literal(''), picture]).optional(),
      primaryAction: action.optional(),
      secondaryAction: action.optional(),
      redirect: redirect.optional(),
      data: jsonObject().optional(),
      feedId: filled.nullable().optional(),
    })
    .refine(({ subject, body }) => subject || body, 'must have a subject or a body'),
  sms: z.object({ body: filled }),
  push: z.object({ subject: text.default(''), body: filled }),
  chat: z
    .object({ body: text.optional(), card: jsonObject().optional() })
    .refine(({ body, card }) => body || card, 'must have a body or a card'),
  tool: z.object({ body: filled }),
  delay: z.object({
    type: text.optional(),
    amount: amount.optional(),
    unit: unit.optional(),
    cron,
    dynamicKey: text.optional(),
    extendToSchedule,
  }),
  digest: z.object({
    type: text.optional(),
    amount: amount.optional(),
    unit: unit.optional(),
    cron,
    digestKey: text.optional(),
    lookBackWindow: z.object({ amount, unit }).optional(),
    extendToSchedule,
  }),
  wait_for_event: z.object({
    event: filled,
    match: jsonObject().optional(),
    timeout: z.object({ amount, unit }),
  }),
  trigger: z.object({
    workflow: filled,
    to: z.unknown().refine((value) => value !== undefined && value !== null, 'must name a recipient'),
    payload: jsonObject().optional(),
    overrides: jsonObject().optional(),
    await: z.boolean().optional(),
  }),
  throttle: z.object({
    type: text.optional(),
    amount: amount.optional(),
    unit: unit.optional(),
    dynamicKey: text.optional(),
    threshold: amount.optional(),
    throttleKey: text.optional(),
  }),
}

/**
 * Returns whether a control has an effect in steps of a type. The controls of `custom` steps are defined by their code.
 *
 * @param name - The name of the control.
 */
export function isControlOf(type: StepType, name: string): boolean {
  if (type === 'custom' || name === 'skip' || name === 'disableOutputSanitization') return true
  return type === 'http_request' ? requestControlNames.includes(name) : Object.hasOwn(shapes[type].shape, name)
}

/** Controls that group events: the path of a field, or a string shared by events of one group. */
const keys = ['digestKey', 'throttleKey'] as const
const fieldPath = /^(?:payload|subscriber|context)(?:\.[\w-]+)+$/

/**
 * Returns the outputs of a step: the rendered controls relevant for its type.
 *
 * @param type - The step type.
 * @param controls - The rendered control values.
 * @param variables - The values that keys are read from.
 * @throws {ComposeError} A control is missing or has the wrong type; the error names each.
 */
export function toStepOutputs(type: StepType, controls: JsonObject, variables: JsonObject): JsonObject {
  if (isOfClass(type, 'data')) return {}
  const shape = shapes[type]
  const parsed = shape.safeParse(withoutEmpty(controls))
  if (!parsed.success) throw toError(type, parsed.error)
  const outputs: Record<string, unknown> = { ...compact(parsed.data) }
  for (const key of keys) {
    const path = outputs[key]
    if (typeof path === 'string' && fieldPath.test(path)) outputs[key] = toKey(findPath(variables, path.split('.')))
  }
  return outputs
}

/** Controls in which `null` is a choice: no layout, no feed. */
const mayBeNull: ReadonlySet<string> = new Set(['layoutId', 'feedId'])

/** An editor stores empty inputs as null or as an empty object. */
function withoutEmpty(controls: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean =>
    value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(controls).filter(([name, value]) => mayBeNull.has(name) || !isEmpty(value)))
}

function toKey(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function toError(type: string, { issues }: z.ZodError): ComposeError {
  const faults = issues.map(({ path, message }) => ({ path: `/${path.join('/')}`, message }))
  const faultTexts = faults.map(
    ({ path, message }) => `${path === '/' ? 'they' : path.slice(1).replaceAll('/', '.')} ${message}`,
  )
  const message = `The controls of this ${type} step are invalid: ${faultTexts.join('; ')}.`
  return new ComposeError('ExecutionEventControlInvalidError', message, faults)
}
