/** A job to be created for a step. */
export interface PlannedJob<TStep> {
  readonly step: TStep
  /** Its index among the steps. */
  readonly position: number
  /** Jobs with the same wave run in parallel. */
  readonly wave: number
}

/**
 * Plans the jobs of a run. The steps of a parallel group share a wave, at the position of the group's first step. A
 * step without a group has its own wave.
 *
 * @param steps - The steps of the workflow, in the bridge's order.
 */
export function planJobs<TStep extends { readonly parallelGroup?: number | null }>(
  steps: readonly TStep[],
): readonly PlannedJob<TStep>[] {
  const waves = new Map<number, number>()
  let count = 0
  return steps.map((step, position) => {
    const group = step.parallelGroup ?? undefined
    const wave = (group === undefined ? undefined : waves.get(group)) ?? count++
    if (group !== undefined) waves.set(group, wave)
    return { step, position, wave }
  })
}
