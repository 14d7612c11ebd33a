import type { HandlerContext, Step, WorkflowDefinition } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { isFailure, type StepStub, storesOutputs } from '../context/step-stub.ts'
import { contextStorage, type TestContext } from '../context/test-context.ts'

type Handler = (controls: JsonObject, context: HandlerContext) => unknown
type StartStep = (id: string, handler: Handler, ...rest: unknown[]) => unknown

/**
 * Creates a workflow whose steps use the stubs of the current test context. Without a test context, and for discovery
 * samples, it behaves like the original workflow.
 */
export function stubSteps(workflow: WorkflowDefinition): WorkflowDefinition {
  const run = workflow.run as (context: object) => unknown
  const entered = new WeakSet<TestContext>()
  const stubbed = (context: object): unknown => {
    const testContext = contextStorage.getStore()
    // The first execution belongs to the call; the bridge may run samples after it.
    if (!testContext?.calls || entered.has(testContext)) return run(context)
    const inside = { ...testContext, inFunction: true, work: testContext.work ?? testContext.functionWork }
    entered.add(testContext).add(inside)
    return contextStorage.run(inside, () => run(withSteps(context, testContext)))
  }
  // Discovery reads literals from the source text, so it must see the original function.
  Object.defineProperty(stubbed, 'toString', { value: () => String(run) })
  return Object.freeze({ ...workflow, run: stubbed as WorkflowDefinition['run'] })
}

/** Copies a context, including accessors and prototype, with steps that use the stubs. */
function withSteps(context: object, testContext: TestContext): object {
  const { step } = context as { readonly step: Step }
  const steps: Record<string, StartStep> = {}
  for (const [kind, start] of Object.entries(step) as [string, StartStep][])
    steps[kind] = (id, handler, ...rest) => {
      testContext.calls?.push({ stepId: id, kind })
      // From here on, bridge code runs, which does not count as part of the workflow function.
      return contextStorage.run(testContext, () => start(id, toHandler(testContext, { id, kind, handler }), ...rest))
    }
  const copy = Object.create(Object.getPrototypeOf(context), Object.getOwnPropertyDescriptors(context)) as object
  return Object.defineProperty(copy, 'step', { value: steps, enumerable: true, configurable: true, writable: true })
}

interface Called {
  readonly id: string
  readonly kind: string
  readonly handler: Handler
}

function toHandler(testContext: TestContext, { id, kind, handler }: Called): Handler {
  if (typeof handler !== 'function') return handler
  const stub = testContext.stubs.get(id)
  const takesPlace = storesOutputs(kind)
  const { replay } = testContext
  if (replay && takesPlace) return () => replay.outputs
  if (stub === undefined) return handler
  if (isFailure(stub)) return () => Promise.reject(stub.failure)
  if (takesPlace) return toResult(stub)
  if (replay) return handler
  return async (controls, context) => {
    testContext.results.set(id, await toResult(stub)(controls, context))
    return handler(controls, context)
  }
}

function toResult(
  stub: Exclude<StepStub, { readonly failure: unknown }>,
): (controls: JsonObject, context: HandlerContext) => Promise<JsonObject> {
  return async (controls, context) => (typeof stub === 'function' ? await stub(controls, context) : stub) as JsonObject
}
