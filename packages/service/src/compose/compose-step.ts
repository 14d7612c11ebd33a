import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject, StepReply } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import type { BridgeOutcome, BridgePort, BridgeStepCall, ComposedStep } from '../bridge/bridge-call.ts'
import { toEnvironment } from '../bridge/call-environment.ts'
import { maskSecrets } from '../bridge/mask-secrets.ts'
import { toObject } from '../json/json.ts'
import { runInSandbox } from '../sandbox/sandbox.ts'
import { unmarkBraces } from '../templates/data-braces.ts'
import type { Composed, Composition as Given } from './compose-controls.ts'
import { ComposeError } from './compose-error.ts'
import { runRequestStep } from './request-step.ts'

/** Replaces the URL of a bridge in the record of a call. */
const shownUrl = '(rendered by the service)'
/**
 * Returns a bridge port that renders steps of stored workflows from their control values, and forwards all other steps.
 *
 * @param bridge - The wrapped port.
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
  const env = toEnvironment(call, target.bridgeUrl)
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
  const controls = toObject(event.controls)
  const variables = toVariables(event, env)
  const given = { type, action, controls, providers: step.providers, variables }
  const composed = await composeInSandbox(given, call.target.environmentId)
  if (composed.kind === 'skip') return toReply({}, {}, true)
  if (composed.kind === 'outputs') return toReply(composed.outputs, composed.providers)
  if (action !== 'execute') return toReply(composed.controls)
  const idempotencyKey = typeof event.jobId === 'string' ? event.jobId : undefined
  const owner = call.target.environmentId
  return toReply(await runRequestStep(unmarkBraces(composed.controls), { outbound, idempotencyKey, signal, owner }))
}

type Usable = Exclude<Composed, { kind: 'failure' }>

async function composeInSandbox(given: Given, owner: string): Promise<Usable> {
  try {
    const composed = (await runInSandbox({ task: 'composeControls', input: given, owner })) as Composed
    if (composed.kind === 'failure') throw ComposeError.of(composed.failure)
    return composed
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    throw new ComposeError('StepControlCompilationFailedError', `The controls of the step failed: ${error.message}.`)
  }
}

/** Returns the variables of templates and rules, with the same names as in templates of bridge controls. */
function toVariables(event: BridgeStepCall['event'], env: JsonObject): JsonObject {
  const { payload = {}, subscriber = {}, context = {}, actor, state = [] } = event
  const steps = Object.fromEntries(state.map(({ stepId, outputs }) => [stepId, outputs]))
  return { payload, subscriber, context, steps, env, ...(actor ? { actor } : {}) }
}
