import { createId } from '../../store/create-id.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { JobStep } from './held-job.ts'

/** The columns of a new job that differ from the defaults. */
export interface JobDraft
  extends Pick<JobRow, 'environmentId' | 'runId' | 'position' | 'wave' | 'status' | 'parallelGroup'>,
    Partial<Pick<JobRow, 'claim' | 'calledAt' | 'handOuts'>> {
  readonly step: JobStep
  /** When it is created, in milliseconds since 1970. */
  readonly nowMs: number
}

/** Returns the row of a job that is a copy of an ended job of another run, with its result. */
export function toCopiedJobRow(
  source: JobRow,
  { runId, position, wave, nowMs }: Pick<JobDraft, 'runId' | 'position' | 'wave' | 'nowMs'>,
): JobRow {
  const { environmentId, status, parallelGroup, result, outputs, error, providerId, eventId, completedOrder } = source
  const step = JSON.parse(source.step) as JobStep
  // Its in-app message belongs to the job that sent it, however often the result was copied.
  const reusedFrom = step.reusedFrom ?? { runId: source.runId, jobId: source.id }
  return {
    ...toJobRow({ environmentId, runId, position, wave, status, parallelGroup, step: { ...step, reusedFrom }, nowMs }),
    ...{ result, outputs, error, providerId, eventId, completedOrder },
    endedAt: nowMs,
  }
}

/** Returns the row of a new job. */
export function toJobRow({ step, nowMs, ...draft }: JobDraft): JobRow {
  const { environmentId, runId, position, wave, status, parallelGroup, claim, calledAt, handOuts } = draft
  return {
    id: createId(nowMs),
    environmentId,
    runId,
    position,
    stepId: step.stepId,
    type: step.type,
    parallelGroup,
    wave,
    waitsForId: null,
    claim: claim ?? null,
    stage: null,
    step: JSON.stringify(step),
    status,
    result: null,
    outputs: null,
    error: null,
    providerId: null,
    bucket: null,
    mergedIntoId: null,
    eventId: null,
    dueAt: null,
    calledAt: calledAt ?? null,
    endedAt: null,
    completedOrder: null,
    scheduleExtensions: 0,
    handOuts: handOuts ?? 0,
    attempts: 0,
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}
