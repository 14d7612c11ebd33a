import type { HandlerContext, Step, WorkflowDefinition } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { type Double, isFailure } from '../context/step-stub.ts'
import { type Scene, scenes } from '../context/test-context.ts'

type Handler = (controls: JsonObject, context: HandlerContext) => unknown
type StartStep = (id: string, handler: Handler, ...rest: unknown[]) => unknown

/**
 * Makes a workflow whose steps heed the doubles of the scene they run in. Without a scene, and for samples that the
 * bridge tries in between, it is the workflow itself.
 *
 * @param workflow - The workflow.
 */
export function stageWorkflow(workflow: WorkflowDefinition): WorkflowDefinition {
  const run = workflow.run as (context: object) => unknown
  const entered = new WeakSet<Scene>()
  const staged = (context: object): unknown => {
    const scene = scenes.getStore()
    // The first time is the call's own; the bridge may try samples after it.
    if (!scene?.calls || entered.has(scene)) return run(context)
    const inside = { ...scene, inFunction: true }
    entered.add(scene).add(inside)
    return scenes.run(inside, () => run(withSteps(context, scene)))
  }
  // Discovery takes literals from the source text, so it must see that of the workflow.
  Object.defineProperty(staged, 'toString', { value: () => String(run) })
  return Object.freeze({ ...workflow, run: staged as WorkflowDefinition['run'] })
}

/** Copies a context, its accessors and its prototype included, with steps that heed the doubles. */
function withSteps(context: object, scene: Scene): object {
  const { step } = context as { readonly step: Step }
  const steps: Record<string, StartStep> = {}
  for (const [kind, start] of Object.entries(step) as [string, StartStep][])
    steps[kind] = (id, handler, ...rest) => {
      scene.calls?.push({ stepId: id, kind })
      // What the bridge does from here on is not the function's doing any more.
      return scenes.run(scene, () => start(id, toHandler(scene, { id, kind, handler }), ...rest))
    }
  const copy = Object.create(Object.getPrototypeOf(context), Object.getOwnPropertyDescriptors(context)) as object
  return Object.defineProperty(copy, 'step', { value: steps, enumerable: true, configurable: true, writable: true })
}

interface Called {
  readonly id: string
  readonly kind: string
  readonly handler: Handler
}

function toHandler(scene: Scene, called: Called): Handler {
  const { id, kind, handler } = called
  if (typeof handler !== 'function') return handler
  const double = scene.doubles.get(id)
  const storesOutput = kind === 'custom' || kind === 'httpRequest'
  const { rehearsal } = scene
  if (rehearsal && storesOutput) return () => rehearsal.outputs
  if (double === undefined) return handler
  if (isFailure(double)) return () => Promise.reject(double.failure)
  if (storesOutput) return toResult(double)
  if (rehearsal) return handler
  return async (controls, context) => {
    scene.results.set(id, await toResult(double)(controls, context))
    return handler(controls, context)
  }
}

function toResult(
  double: Exclude<Double, { readonly failure: unknown }>,
): (controls: JsonObject, context: HandlerContext) => Promise<JsonObject> {
  return async (controls, context) =>
    (typeof double === 'function' ? await double(controls, context) : double) as JsonObject
}
