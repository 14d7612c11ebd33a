import { runGuarded } from '../../base/rejection-guard.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { createStep } from '../../workflow/steps/create-step.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'
import { type Recording, recordStep } from './record-step.ts'

/**
 * Calls a workflow function with sample data.
 *
 * @param workflow - The workflow to run.
 * @param recording - Records its step calls and how it ends.
 * @param runData - The sample data of the run.
 */
export function callFunction(workflow: RegisteredWorkflow, recording: Recording, runData: SampleRunData): void {
  const { payload, env, controls } = runData
  const step = createStep((call) => recordStep(recording, call), workflow.options)
  // Created lazily: most functions use none of these, and they cost more than everything else here.
  const rare = {
    subscriber: lazily(runData.subscriber),
    context: lazily(runData.context),
    actor: lazily(runData.actor),
    signal: lazily(() => new AbortController().signal),
  }
  const input = Object.defineProperties({ step, payload, env, controls }, rare) as Parameters<typeof workflow.run>[0]
  const settle = (error?: { readonly thrown: unknown }): void => {
    recording.settled = true
    recording.error ??= error
    recording.activity++
    recording.wake()
  }
  try {
    const running = runGuarded(() => workflow.run(input))
    Promise.resolve(running).then(
      () => settle(),
      (thrown: unknown) => settle({ thrown }),
    )
  } catch (thrown) {
    settle({ thrown })
  }
}

/** Returns a property descriptor whose value is created on first read. */
function lazily(make: () => unknown): PropertyDescriptor {
  let cache: { readonly value: unknown } | undefined
  return {
    enumerable: true,
    configurable: true,
    get() {
      cache ??= { value: make() }
      return cache.value
    },
    set(value: unknown) {
      cache = { value }
    },
  }
}
