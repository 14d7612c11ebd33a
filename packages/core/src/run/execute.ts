import { isCodedError, type NextReply, type StepDescription, type StepReply } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { toStepData } from '../workflow/steps/step-data.ts'
import { findNext, type NextOutcome } from './find-next.ts'
import { handedStep } from './handed-step.ts'
import type { ExecutedStep } from './is-final.ts'
import { learnFromRun } from './learn-from-run.ts'
import { run } from './run.ts'
import { checkPayload } from './state/check-payload.ts'
import { toRunScope } from './state/run-scope.ts'
import type { RunScope, StepOutcome } from './state/step-run.ts'
import { type ReplyParts, toMetadata, toStepReply } from './step-reply.ts'
import { listedStep, unknownStep } from './unreached/detect-idle.ts'

const describing = lazy(() => import('../discovery/to-manifest.ts'))
// Also reads the source of the function.
const finishing = lazy(() => import('./is-final.ts'))

/**
 * The maximum number of open steps in the reply to a call for one step; a call for the next steps returns all of them.
 */
const maxOpen = 50

/** The outcome of a call, for the requested step or for the next steps. */
type Outcome = NextOutcome | { readonly kind: 'named'; readonly outcome: StepOutcome }

/**
 * Runs a workflow: executes the requested step, or the next ones.
 *
 * @param registry - The state of the bridge.
 * @param call - The workflow, the step and the event.
 * @param scope - The deadline and environment of the call.
 * @throws CodedError - Any error of the workflow, its step or the call's data.
 * @source bridge-protocol.md#running-a-step, bridge-protocol.md#continuing-a-run
 */
export async function execute(registry: Registry, call: StepEvent, scope: CallScope): Promise<StepReply | NextReply> {
  const startMs = performance.now()
  const workflow = findWorkflow(registry, call.workflowId)
  if (call.stepId === undefined && !call.event.next) throw unknownStep(workflow.id, undefined)
  const checked = checkPayload(workflow, call.event.payload)
  const payload = checked instanceof Promise ? await checked : checked
  const prepared = toRunScope(registry, workflow, { call, scope, payload })
  const runScope = prepared instanceof Promise ? await prepared : prepared
  const report = createReport(registry, call, { scope, startMs })
  let outcome: Outcome
  try {
    outcome = await runCall(runScope, call, scope)
  } catch (error) {
    learnFromRun(registry, runScope)
    const stepId = call.stepId ?? stepOf(error)
    // Without a step, only the workflow function failed.
    if (stepId !== undefined) report({ stepId, error })
    throw error
  }
  learnFromRun(registry, runScope)
  for (const { code, message } of runScope.warnings ?? []) registry.notices.once(message, code)
  if (outcome.kind === 'executed') report({ stepId: outcome.call.id, outcome: outcome.outcome })
  else if (outcome.kind === 'named') report({ stepId: call.stepId ?? '', outcome: outcome.outcome })
  const steps = runScope.described ? await describe(registry, runScope) : []
  const isFinal =
    outcome.kind === 'executed' && call.event.next?.final && (await isLast(registry, { call, scope, outcome }))
  return toReply(outcome, runScope, { startMs, steps, isFinal })
}

/** Returns whether the executed step is the last one of its run. */
async function isLast(registry: Registry, executed: ExecutedStep): Promise<boolean> {
  try {
    return await (await finishing()).isFinal(registry, executed)
  } catch {
    // The call for the next step fails for the same reason. The step that has run must not.
    return false
  }
}

async function runCall(scope: RunScope, { stepId, event }: StepEvent, { deadline }: CallScope): Promise<Outcome> {
  if (stepId === undefined) return findNext(scope, deadline)
  return { kind: 'named', outcome: await run(scope, deadline, event.next ? handedStep : listedStep) }
}

async function describe(
  { settings }: Registry,
  { workflow, described = [] }: RunScope,
): Promise<readonly StepDescription[]> {
  const { describeStep } = await describing()
  const all = await Promise.allSettled(described.map((step) => describeStep(workflow, step, settings.exposeCode)))
  // A schema that cannot be converted must not fail a call whose step has run.
  return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

interface Ended {
  readonly stepId: string
  readonly outcome?: StepOutcome
  readonly error?: unknown
}

function createReport(
  { settings: { hooks }, notices }: Registry,
  { workflowId = '' }: StepEvent,
  { scope, startMs }: { readonly scope: CallScope; readonly startMs: number },
): (ended: Ended) => void {
  return ({ stepId, outcome, error }) => {
    if (!hooks?.onStep) return
    const status = !outcome ? 'failed' : outcome.skip ? 'skipped' : 'completed'
    const code = outcome ? undefined : isCodedError(error) ? error.code : 'BridgeError'
    const durationMs = performance.now() - startMs
    notices.guard('onStep', () => hooks.onStep?.({ workflowId, stepId, status, code, durationMs }, scope.info))
  }
}

function stepOf(error: unknown): string | undefined {
  const stepId = isCodedError(error) ? Reflect.get(error.data ?? {}, 'stepId') : undefined
  return typeof stepId === 'string' ? stepId : undefined
}

function toReply(outcome: Outcome, scope: RunScope, parts: ReplyParts): StepReply | NextReply {
  const { stepId, event, reached = [], warnings = [], handled } = scope
  const plain = toMetadata({ ...parts, warnings })
  if (outcome.kind === 'done') return { done: true, ...(handled && { handled }), metadata: plain }
  if (outcome.kind === 'open') return { open: outcome.calls.map(toStepData), metadata: plain }
  const metadata = handled && event.next ? { ...plain, handled } : plain
  if (outcome.kind === 'executed') return { step: toStepData(outcome.call), ...toStepReply(outcome.outcome, metadata) }
  const open = reached.filter(({ id }) => id !== stepId && !event.next?.taken.has(id)).slice(0, maxOpen)
  const hasOpen = open.length > 0
  return toStepReply(outcome.outcome, { ...metadata, ...(hasOpen && { open: open.map(toStepData) }) })
}
