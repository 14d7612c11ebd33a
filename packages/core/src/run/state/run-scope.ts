import { CodedError, type JsonObject } from '@trestle/protocol'
import { endSentence } from '../../base/thrown.ts'
import type { CallInfo } from '../../bridge/hooks.ts'
import { controlsOf, type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import type { Registry } from '../../bridge/registry.ts'
import type { StepEvent } from '../../call/bridge-event.ts'
import type { CallScope } from '../../call/call-scope.ts'
import { resolveApiUrl } from '../../config/service-preset.ts'
import type { ShownRunData } from '../../discovery/samples/sample-run-data.ts'
import type { Account } from '../../trigger/account.ts'
import { createLazySignal } from './lazy-signal.ts'
import { toMemoizedSteps, toStored } from './memoized-steps.ts'
import type { RunScope } from './step-run.ts'

/** The call that a run handles. */
export interface RunRequest {
  readonly call: StepEvent
  readonly scope: CallScope
  /** The payload as the workflow function receives it. */
  readonly payload: JsonObject
  /** The sample data of a preview. */
  readonly sampleData?: ShownRunData
}

/**
 * Creates the scope of a run.
 *
 * @param registry - The state of the bridge.
 * @param workflow - The workflow to run.
 * @param request - The call, and its payload.
 * @returns A promise only if a schema of the workflow is asynchronous.
 * @throws CodedError - `RequestBodyInvalidError`: the environment's variables do not match their schema.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a control has no default.
 */
export function toRunScope(
  registry: Registry,
  workflow: RegisteredWorkflow,
  request: RunRequest,
): RunScope | Promise<RunScope> {
  const { sampleData, call } = request
  if (sampleData) return create(registry, workflow, { request, values: sampleData })
  const { env, controls } = schemasOf(workflow)
  if (!env.given && !controls.given)
    return create(registry, workflow, { request, values: { env: call.event.env, controls: {} } })
  return toValues(workflow, call.event.env).then((values) => create(registry, workflow, { request, values }))
}

interface Prepared {
  readonly request: RunRequest
  readonly values: Pick<RunScope, 'env' | 'controls'>
}

function create(registry: Registry, workflow: RegisteredWorkflow, { request, values }: Prepared): RunScope {
  const { call, scope, payload, sampleData } = request
  const { event, stepId = '' } = call
  const memoizedSteps = toMemoizedSteps(event.state)
  return {
    workflow,
    stepId,
    event,
    payload,
    subscriber: event.subscriber,
    env: values.env,
    controls: values.controls,
    stored: toStored(event.state, memoizedSteps),
    memoizedSteps,
    sampleData,
    sampleResults: undefined,
    nowMs: scope.nowMs,
    abort: createLazySignal(),
    account: () => toAccount(registry, scope),
    hmac: registry.hmac,
    reached: undefined,
    described: undefined,
    handled: undefined,
    warnings: undefined,
    onError: (error, code, step) =>
      report(registry, workflow.id, { stepId: step?.id ?? call.stepId, error, code, info: scope.info }),
  }
}

function toAccount({ settings }: Registry, { secrets, environment }: CallScope): Account {
  const { apiUrl, service } = settings
  return { secretKey: secrets[0], apiUrl: resolveApiUrl(apiUrl, environment, service), service }
}

/**
 * Returns the environment's variables and the workflow's own controls as the workflow function receives them.
 *
 * @param workflow - The workflow.
 * @param sent - The variables as sent.
 * @throws CodedError - `RequestBodyInvalidError`: the variables do not match their schema.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a control has no default.
 */
export async function toValues(
  workflow: RegisteredWorkflow,
  sent: JsonObject,
): Promise<{ readonly env: unknown; readonly controls: unknown }> {
  const env = await schemasOf(workflow).env.check(sent)
  if (env.issues) {
    const data = env.issues.map(({ path, message }) => ({ path: `/env${path}`, message }))
    const message = endSentence(
      `The environment's variables do not match the schema of workflow "${workflow.id}": ${data[0]?.path} ${data[0]?.message}`,
    )
    throw new CodedError('RequestBodyInvalidError', message, { data })
  }
  return { env: env.value, controls: await controlsOf(workflow) }
}

interface Thrown {
  /** `undefined` if a call that names no step reached none. */
  readonly stepId: string | undefined
  readonly error: unknown
  readonly code: string | undefined
  readonly info: CallInfo
}

function report(registry: Registry, workflowId: string, { stepId, error, code, info }: Thrown): void {
  const when = stepId === undefined ? 'after its answer was determined' : `while step "${stepId}" determined the answer`
  if (code === undefined) registry.notices.error(`Workflow "${workflowId}" failed ${when}.`, error)
  const { hooks } = registry.settings
  const errorReport = { action: info.action, workflowId, stepId, agentId: undefined, code }
  registry.notices.guard('onError', () => hooks?.onError?.(error, errorReport, info))
}
