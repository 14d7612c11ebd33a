import type { JobRow } from '../../store/schema/run.ts'
import { parseJson } from '../base/parse-json.ts'
import type { JobStep } from './held-job.ts'

/** Returns whether the bridge reported that the run is done once this job has completed. */
export function isFinalStep({ step }: Pick<JobRow, 'step'>): boolean {
  return (parseJson(step) as JobStep).final === true
}

/** Returns the step of a job that is postponed: by the time it completes, the function may decide differently. */
export function withoutFinal({ step }: Pick<JobRow, 'step'>): Pick<JobRow, 'step'> {
  const { final: _, ...rest } = parseJson(step) as JobStep
  return { step: JSON.stringify(rest) }
}
