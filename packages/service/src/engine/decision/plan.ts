/** A job to be made of a step. */
export interface PlannedJob<TStep> {
  /** The step. */
  readonly step: TStep
  /** Its place among the steps, counted from 0. */
  readonly position: number
  /** Jobs of one wave run side by side. */
  readonly wave: number
}

/**
 * Returns the jobs of a run. Steps of one parallel group share a wave, which stands where the first of them is listed;
 * a step without a group stands alone.
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
