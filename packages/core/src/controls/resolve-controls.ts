import { CodedError, type Issue, isObject, type JsonObject, joinPath, maxIssues } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import type { CompiledSchema, Verdict } from '../schema/compiled-schema.ts'
import { dropUnknownKeys } from '../schema/drop-unknown-keys.ts'
import { compileDefaults, type Filler } from '../schema/fill-defaults.ts'
import { compileValueShape, type ValueShape } from '../schema/value-shape.ts'
import { coerceControl } from './coerce-control.ts'
import { addLateDefaults } from './late-defaults.ts'
import { isTemplate } from './plain/is-template.ts'
import type { TemplateBudget } from './plain/template-budget.ts'
import type { TemplateVariables } from './plain/template-variables.ts'
import { type Renderer, withRenderer } from './renderer.ts'

/** Inputs of resolving the controls of a step. */
export interface ControlRequest {
  /** The controls from the call, which are not modified. */
  readonly given: JsonObject
  readonly schema: CompiledSchema
  readonly variables: TemplateVariables
  /** The limits shared by the request's templates. */
  readonly budget: TemplateBudget
  /** Receives the names of unknown variables, which then print nothing. @default unknown variables are errors */
  readonly onUnknown?: ((name: string) => void) | undefined
  /** Receives the paths of unknown controls, which are then dropped. @default they are errors */
  readonly onDrop?: ((path: string) => void) | undefined
}

/** Cached parts of a control schema. */
interface ControlPlan {
  readonly fill: Filler | undefined
  readonly shape: ValueShape | undefined
}

const plans = new WeakMap<CompiledSchema, ControlPlan>()
const noPlan: ControlPlan = { fill: undefined, shape: undefined }

/**
 * Creates the controls passed to a handler: fills in defaults, renders each text as a separate template, converts and
 * validates values. Rendered text is never treated as a template.
 *
 * @returns The validated controls; a promise only if something has to be loaded or is asynchronous.
 * @throws StepControlCompilationFailedError - A template is invalid, fails or exceeds a limit.
 * @throws ExecutionStateControlInvalidError - The rendered controls do not match the schema.
 */
export function resolveControls(request: ControlRequest): JsonObject | Promise<JsonObject> {
  const { given, schema } = request
  if (!schema.given) return holdsTemplate(given) ? renderAll(given, noPlan, request) : given
  const plan = plans.get(schema) ?? planControls(schema)
  return plan instanceof Promise
    ? plan.then((resolvedPlan) => resolveBy(resolvedPlan, request))
    : resolveBy(plan, request)
}

function resolveBy(plan: ControlPlan, request: ControlRequest): JsonObject | Promise<JsonObject> {
  const filled = (plan.fill ? plan.fill(request.given) : request.given) as JsonObject
  if (!holdsTemplate(filled)) return judgeBy(plan, coerceControl(filled, plan.shape), request)
  const rendered = renderAll(filled, plan, request)
  return rendered instanceof Promise
    ? rendered.then((controls) => judgeBy(plan, controls, request))
    : judgeBy(plan, rendered, request)
}

function judgeBy(plan: ControlPlan, controls: unknown, request: ControlRequest): JsonObject | Promise<JsonObject> {
  const judged = judge(controls, request)
  return judged instanceof Promise
    ? judged.then((validatedControls) => judgeLate(plan, { controls, validatedControls }, request))
    : judgeLate(plan, { controls, validatedControls: judged }, request)
}

interface Judged {
  readonly controls: unknown
  /** The controls as returned by the schema's validation. */
  readonly validatedControls: JsonObject
}

/** Renders only text added by the schema, because text that is already rendered can contain braces. */
function judgeLate(
  plan: ControlPlan,
  { controls, validatedControls }: Judged,
  request: ControlRequest,
): JsonObject | Promise<JsonObject> {
  if (validatedControls === controls || !plan.shape || !holdsTemplate(validatedControls)) return validatedControls
  const finish = (render: Renderer): JsonObject | Promise<JsonObject> => {
    const missing: Issue[] = []
    const whole = addLateDefaults(controls, validatedControls, {
      path: '',
      shape: plan.shape,
      wants: holdsTemplate,
      render(value, place) {
        const rendered = renderValue(value, place, { ...request, render })
        // Otherwise the schema would fill in the template again, and some libraries do not validate defaults.
        if (rendered === undefined) missing.push({ path: place.path, message: 'is required' })
        return rendered
      },
    })
    const [first, ...rest] = missing.slice(0, maxIssues)
    if (first) return accept({ issues: [first, ...rest] })
    return whole === controls ? validatedControls : judge(whole, request)
  }
  return withRenderer(request.budget, finish)
}

function planControls(schema: CompiledSchema): ControlPlan | Promise<ControlPlan> {
  try {
    const plan = planBy(schema)
    return plan instanceof Promise ? plan.catch(failPlan) : plan
  } catch (error) {
    return failPlan(error)
  }
}

/** Throws if a schema has no JSON Schema: its defaults are then unknown, and would be sent as unrendered templates. */
function failPlan(cause: unknown): never {
  const message = toThrown(cause).message
  throw new CodedError('ExecutionStateControlInvalidError', `The control schema cannot be used: ${message}`, {
    data: { issues: [{ path: '', message }] },
    cause,
  })
}

function planBy(schema: CompiledSchema): ControlPlan | Promise<ControlPlan> {
  const make = (): ControlPlan => {
    const view = schema.jsonSchema()
    // Other defaults need no rendering; the schema fills them itself.
    const plan = { fill: compileDefaults(view, { wants: holdsTemplate }), shape: compileValueShape(view) }
    plans.set(schema, plan)
    return plan
  }
  const prepared = schema.prepare()
  return prepared ? prepared.then(make) : make()
}

function renderAll(controls: JsonObject, plan: ControlPlan, request: ControlRequest): JsonObject | Promise<JsonObject> {
  return withRenderer(
    request.budget,
    (render) => renderValue(controls, { path: '', shape: plan.shape }, { ...request, render }) as JsonObject,
  )
}

interface Place {
  readonly path: string
  readonly shape: ValueShape | undefined
}

function renderValue(value: unknown, place: Place, request: ControlRequest & { render: Renderer }): unknown {
  const { path, shape } = place
  if (typeof value === 'string' && isTemplate(value)) {
    const native = shape?.types !== undefined && !shape.types.has('string')
    const { variables, budget, onUnknown, render } = request
    return coerceControl(render(value, { path, variables, budget, native, onUnknown }), shape)
  }
  if (Array.isArray(value)) {
    return value.map(
      (item, index) => renderValue(item, { path: joinPath(path, index), shape: shape?.item(index) }, request) ?? null,
    )
  }
  if (!isObject(value)) return coerceControl(value, shape)
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    renderValue(item, { path: joinPath(path, key), shape: shape?.property(key) }, request),
  ])
  // A missing variable removes the key, so that validation reports "is required".
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined))
}

function judge(controls: unknown, request: ControlRequest): JsonObject | Promise<JsonObject> {
  const verdict = request.schema.check(controls)
  return verdict instanceof Promise
    ? verdict.then((one) => settle(controls, one, request))
    : settle(controls, verdict, request)
}

function settle(
  controls: unknown,
  verdict: Verdict,
  { schema, onDrop }: ControlRequest,
): JsonObject | Promise<JsonObject> {
  if (!verdict.issues || !onDrop) return accept(verdict)
  const pruned = dropUnknownKeys(schema, { value: controls, verdict }, onDrop)
  return pruned instanceof Promise ? pruned.then((result) => accept(result.verdict)) : accept(pruned.verdict)
}

function accept(verdict: Verdict): JsonObject {
  if (!verdict.issues) return verdict.value as JsonObject
  throw new CodedError('ExecutionStateControlInvalidError', `The controls are invalid: ${summary(verdict.issues)}`, {
    data: { issues: verdict.issues },
  })
}

function summary([first, ...rest]: readonly [Issue, ...Issue[]]): string {
  const where = first.path === '' ? 'they' : `"${first.path}"`
  return `${where} ${first.message}${rest.length > 0 ? ` (and ${rest.length} more)` : ''}.`
}

function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return isTemplate(value)
  if (typeof value !== 'object' || value === null) return false
  for (const key of Object.keys(value)) if (holdsTemplate(Reflect.get(value, key))) return true
  return false
}
