import { describeUnsafe, findFilledAddress, findUnsafeAddress } from '@trestle/html/addresses'
import { type JsonObject, type StepType, toPointer } from '@trestle/protocol'
import type { BridgeFailure } from '../bridge/bridge-call.ts'
import { htmlFieldsOf, htmlPositions } from '../messages/html-fields.ts'
import { ComposeError } from './compose-error.ts'
import { type RenderedHtml, renderControls } from './render-controls.ts'
import { holdsRule } from './skip-rule.ts'
import { toStepOutputs } from './step-outputs.ts'

/** A step to render. */
export interface Composition {
  readonly type: StepType
  /** Whether to execute the step or to preview it on sample data. */
  readonly action: 'execute' | 'preview'
  /** The stored control values. */
  readonly controls: JsonObject
  /** Overrides by provider id. */
  readonly providers: JsonObject
  /** Variables of templates and rules. */
  readonly variables: JsonObject
}

/** The result: a skipped step, a request to make, outputs, or a failure. */
export type Composed =
  | { readonly kind: 'skip' }
  | { readonly kind: 'request'; readonly controls: JsonObject }
  | { readonly kind: 'outputs'; readonly outputs: JsonObject; readonly providers: JsonObject }
  | { readonly kind: 'failure'; readonly failure: BridgeFailure }

/** Renders the controls of a step. Rules and templates come from a tenant, so this runs in the sandbox. */
export async function composeControls(composition: Composition): Promise<Composed> {
  try {
    return await compose(composition)
  } catch (error) {
    if (error instanceof ComposeError) return { kind: 'failure', failure: error.failure }
    throw error
  }
}

async function compose({ type, action, providers, variables, ...given }: Composition): Promise<Composed> {
  const { skip, ...controls } = given.controls
  if (action === 'execute' && (skip === true || (isRule(skip) && holdsRule(skip, variables)))) return { kind: 'skip' }
  checkEditor(controls)
  // In a raw step, inserted values are neither escaped nor checked.
  const html: ReadonlySet<string> = controls['disableOutputSanitization'] === true ? new Set() : htmlFieldsOf(type)
  const rendered = await renderControls(controls, variables, ([name = '']) => html.has(name))
  if (type === 'http_request') return { kind: 'request', controls: rendered.values }
  const isHtmlOverride = ([_provider, ...names]: readonly string[]) => names.some((name) => html.has(name))
  const overrides = await renderControls(providers, variables, isHtmlOverride)
  checkAddresses(type, [...rendered.html, ...overrides.html])
  return { kind: 'outputs', outputs: toStepOutputs(type, rendered.values, variables), providers: overrides.values }
}

const isRule = (skip: unknown): boolean => typeof skip === 'object' && skip !== null && Object.keys(skip).length > 0

/** A value inserted as a link URL must not be a script. */
function checkAddresses(type: StepType, list: readonly RenderedHtml[]): void {
  const position = htmlPositions[type]
  if (!position) return
  for (const { path, template, html } of list) {
    const unsafeAddress = findUnsafeAddress(html, position) ?? findFilledAddress(template, html, position)
    if (!unsafeAddress) continue
    const reason = describeUnsafe(unsafeAddress)
    const message = `The controls of this ${type} step are invalid: ${path.join('.')}: ${reason}.`
    throw new ComposeError('ExecutionEventControlInvalidError', message, [{ path: toPointer(path), message: reason }])
  }
}

/** The block editor stores its own document format, which only its vendor can render. */
function checkEditor({ editorType, body }: JsonObject): void {
  if (editorType !== 'block' || typeof body !== 'string' || !/^\s*\{\s*"type"\s*:/.test(body)) return
  const reason = 'the body is a document of the block editor; store HTML, with the editorType "html"'
  const message = `The controls of this step are invalid: ${reason}.`
  throw new ComposeError('ExecutionEventControlInvalidError', message, [{ path: '/body', message: reason }])
}
