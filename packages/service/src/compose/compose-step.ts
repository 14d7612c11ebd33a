import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject, StepReply, StepType } from '@trestle/protocol'
import type { BridgeOutcome, BridgePort, BridgeStepCall, ComposedStep } from '../bridge/bridge-call.ts'
import { maskSecrets } from '../bridge/mask-secrets.ts'
import { toObject } from '../json/json.ts'
import { unmarkBraces } from '../templates/data-braces.ts'
import { describeUnsafe, findFilledAddress, findUnsafeAddress } from '../templates/unsafe-address.ts'
import { ComposeError } from './compose-error.ts'
import { renderControls } from './render-controls.ts'
import { runRequestStep } from './request-step.ts'
import { holdsRule } from './skip-rule.ts'
import { toStepOutputs } from './step-outputs.ts'

/** Stands in the record of a call instead of a bridge's address. */
const shownUrl = '(rendered by the service)'
/** Controls in which filled-in values are escaped, unless `disableOutputSanitization` is set. */
const htmlControls: Readonly<Partial<Record<StepType, ReadonlySet<string>>>> = {
  email: new Set(['body']),
  in_app: new Set(['body']),
}
const nothing: ReadonlySet<string> = new Set()

/**
 * Returns a way to bridges that renders the steps of stored workflows itself, from their control values, and passes
 * every other step on.
 *
 * @param bridge - The way to bridges.
 * @param outbound - Sends the requests of HTTP steps.
 */
export function withComposer(bridge: BridgePort, outbound: Pick<Outbound, 'send'>): BridgePort {
  return {
    ...bridge,
    callStep: (call) =>
      call.composed === undefined ? bridge.callStep(call) : composeStep(call, call.composed, outbound),
  }
}

async function composeStep(
  call: BridgeStepCall,
  step: ComposedStep,
  outbound: Pick<Outbound, 'send'>,
): Promise<BridgeOutcome> {
  const { target, action, workflowId, stepId } = call
  const startedMs = performance.now()
  const env = { name: target.name, type: target.type, ...target.variables }
  const note = (reply: object, status: number): BridgeOutcome['record'] => {
    const secrets = [...target.secrets, target.secretKey]
    return {
      url: shownUrl,
      request: maskSecrets({ action, workflowId, stepId, event: { ...call.event, env } }, secrets) as JsonObject,
      reply: maskSecrets(reply, secrets) as JsonObject,
      status,
      durationMs: performance.now() - startedMs,
      attempts: [],
    }
  }
  try {
    const marked = await compose({ call, step, outbound, env })
    const reply = unmarkBraces(marked)
    return { reply, marked, record: note(reply, 200) }
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    const { failure } = error
    return { failure, record: note(failure, failure.status) }
  }
}

interface Composition {
  readonly call: BridgeStepCall
  readonly step: ComposedStep
  readonly outbound: Pick<Outbound, 'send'>
  readonly env: JsonObject
}

async function compose({ call, step, outbound, env }: Composition): Promise<StepReply> {
  const { event, action, signal } = call
  const { type } = step
  const startedMs = performance.now()
  const toReply = (outputs: JsonObject, providers: JsonObject = {}, skip = false): StepReply => {
    const duration = performance.now() - startedMs
    return { outputs, providers, options: { skip }, metadata: { status: 'success', error: false, duration } }
  }
  const { skip, ...controls } = toObject(event.controls)
  const variables = toVariables(event, env)
  if (action === 'execute' && isRule(skip) && holdsRule(skip, variables)) return toReply({}, {}, true)
  checkEditor(controls)
  const isRaw = controls['disableOutputSanitization'] === true
  const rendered = await renderControls(controls, variables, isRaw ? nothing : (htmlControls[type] ?? nothing))
  if (type === 'http_request' && action === 'execute') {
    const idempotencyKey = typeof event.jobId === 'string' ? event.jobId : undefined
    return toReply(await runRequestStep(unmarkBraces(rendered), { outbound, idempotencyKey, signal }))
  }
  if (type === 'http_request') return toReply(rendered)
  if (!isRaw) checkAddresses(type, controls, rendered)
  const providers = await renderControls(step.providers, variables, nothing)
  return toReply(toStepOutputs(type, rendered, variables), providers)
}

const isRule = (skip: unknown): boolean => typeof skip === 'object' && skip !== null && Object.keys(skip).length > 0

/** Returns what templates and rules see: the names that templates of a bridge's controls have too. */
function toVariables(event: BridgeStepCall['event'], env: JsonObject): JsonObject {
  const { payload = {}, subscriber = {}, context = {}, actor, state = [] } = event
  const steps = Object.fromEntries(state.map(({ stepId, outputs }) => [stepId, outputs]))
  return { payload, subscriber, context, steps, env, ...(actor ? { actor } : {}) }
}

/** A value that is filled in as the address of a link must not be a script. */
function checkAddresses(type: StepType, controls: JsonObject, rendered: JsonObject): void {
  if (type !== 'email' && type !== 'in_app') return
  for (const name of htmlControls[type] ?? nothing) {
    const html = rendered[name]
    if (typeof html !== 'string') continue
    const found = findUnsafeAddress(html, type) ?? findFilledAddress(String(controls[name]), html, type)
    if (!found) continue
    const reason = describeUnsafe(found)
    const message = `The controls of this ${type} step cannot be used: ${name}: ${reason}.`
    throw new ComposeError('ExecutionEventControlInvalidError', message, [{ path: `/${name}`, message: reason }])
  }
}

/** The block editor stores a document of its own form, which only its makers render. */
function checkEditor({ editorType, body }: JsonObject): void {
  if (editorType !== 'block' || typeof body !== 'string' || !/^\s*\{\s*"type"\s*:/.test(body)) return
  const reason = 'the body is a document of the block editor; store HTML, with the editorType "html"'
  const message = `The controls of this step cannot be used: ${reason}.`
  throw new ComposeError('ExecutionEventControlInvalidError', message, [{ path: '/body', message: reason }])
}
