import type { JsonObject, StepManifest } from '@trestle/protocol'
import { createId } from '../../store/create-id.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'

/**
 * Returns a step in the format in which it is stored with its workflow. Known details are kept if a later list only has
 * the step from its source text.
 *
 * @param manifest - The step, as described by the bridge.
 * @param before - The stored step; `undefined` for a new one.
 * @param nowMs - The time, in milliseconds since 1970.
 */
export function toStoredStep(manifest: StepManifest, before: StoredStep | undefined, nowMs: number): StoredStep {
  const { stepId, type, controls, conditional, parallelGroup, ...extra } = manifest as StepManifest &
    Partial<Pick<StepManifest, 'controls' | 'conditional' | 'parallelGroup'>>
  const reachedStep = manifest.reached === false && before?.type === type ? withoutLearned(before) : undefined
  return {
    id: before?.id ?? createId(nowMs),
    stepId,
    name: before?.name ?? stepId,
    type,
    controlSchema: reachedStep?.controlSchema ?? controls?.schema ?? {},
    conditional: conditional === true,
    parallelGroup: Number.isInteger(parallelGroup) ? (parallelGroup as number) : null,
    extra: reachedStep?.extra ?? (extra as JsonObject),
  }
}

/** Returns a step that a run has reached; `undefined` if it is only known from the source text or its settings. */
function withoutLearned(step: StoredStep): StoredStep | undefined {
  const { learned: _, ...extra } = step.extra
  return 'outputs' in extra && extra['reached'] !== false ? { ...step, extra } : undefined
}
