import type { JsonObject, StepManifest } from '@trestle/protocol'
import { createId } from '../../store/create-id.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'

/**
 * Returns a step as it is stored with its workflow. What was known of a step stays if a later list knows it by its text only.
 *
 * @param manifest - The step as the bridge describes it.
 * @param before - The step as it was stored; `undefined` for a new one.
 * @param nowMs - The time, milliseconds since 1970.
 */
export function toStoredStep(manifest: StepManifest, before: StoredStep | undefined, nowMs: number): StoredStep {
  const { stepId, type, controls, conditional, parallelGroup, ...extra } = manifest as StepManifest &
    Partial<Pick<StepManifest, 'controls' | 'conditional' | 'parallelGroup'>>
  const known = manifest.reached === false && before?.type === type ? withoutLearned(before) : undefined
  return {
    id: before?.id ?? createId(nowMs),
    stepId,
    name: before?.name ?? stepId,
    type,
    controlSchema: known?.controlSchema ?? controls?.schema ?? {},
    conditional: conditional === true,
    parallelGroup: Number.isInteger(parallelGroup) ? (parallelGroup as number) : null,
    extra: known?.extra ?? (extra as JsonObject),
  }
}

/** Returns a step that a run has reached; `undefined` if only its text is known, or nothing but what was set for it. */
function withoutLearned(step: StoredStep): StoredStep | undefined {
  const { learned: _, ...extra } = step.extra
  return 'outputs' in extra && extra['reached'] !== false ? { ...step, extra } : undefined
}
