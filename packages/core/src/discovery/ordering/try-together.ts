import type { Exploration, ExploringRun } from '../exploring/explore.ts'
import type { RecordedCall, RecordedRun } from '../recording/recorded-run.ts'
import { chooseOf, keyOfVariation } from '../samples/variation/choose-value.ts'
import type { Variation } from '../samples/variation/variation.ts'
import { isInOrder } from './order-steps.ts'

const maxSteps = 60
const maxTries = 24
const maxAtOnce = 8

interface Meeting {
  readonly run: ExploringRun
  readonly call: RecordedCall
}

/**
 * Tries the conditions of two steps together where no run has called both, so that a run shows their order; while there
 * are runs left, and only where the function awaits nothing but steps.
 *
 * @param explored - The runs so far, and how many more there may be.
 * @param options - Makes a run; whether there is time for more.
 * @returns All runs.
 */
export async function tryTogether(
  explored: Pick<Exploration, 'runs' | 'runsLeft'>,
  { record, hasTime }: { record(variation: Variation): Promise<RecordedRun>; hasTime(): boolean },
): Promise<readonly ExploringRun[]> {
  const runs = [...explored.runs]
  const tried = new Set(runs.map(({ variation }) => keyOfVariation(variation)))
  let left = Math.min(maxTries, explored.runsLeft)
  while (left > 0 && !runs.some((run) => run.awaitedIo || run.end === 'stuck')) {
    const wave = toVariations(runs, tried).slice(0, Math.min(left, maxAtOnce))
    if (wave.length === 0 || !hasTime()) break
    left -= wave.length
    for (const variation of wave) tried.add(keyOfVariation(variation))
    const made = await Promise.all(wave.map(record))
    runs.push(...made.map((run, index): ExploringRun => ({ ...run, variation: wave[index] as Variation })))
  }
  return runs
}

function toVariations(runs: readonly ExploringRun[], tried: ReadonlySet<string>): readonly Variation[] {
  const met = new Map<string, Meeting>()
  const plain = runs.filter(isInOrder)
  for (const run of plain) for (const call of run.calls) if (!met.has(call.id)) met.set(call.id, { run, call })
  // A run that has called all of them has shown every order.
  if (met.size > maxSteps || plain.some(({ calls }) => calls.length === met.size)) return []
  const isOrdered = toOrderTest(runs)
  const steps = [...met]
  const wanted = new Map<string, Variation>()
  for (const [index, [id, one]] of steps.entries())
    for (const [otherId, other] of steps.slice(index + 1)) {
      if (isOrdered(id, otherId)) continue
      for (const variation of [join(one, other), join(other, one)]) {
        const key = keyOfVariation(variation)
        if (!tried.has(key)) wanted.set(key, variation)
      }
    }
  return [...wanted.values()]
}

/** The data of one step's run, and on top of it what the other step was decided by: what was read before its call. */
function join({ run }: Meeting, { run: other, call }: Meeting): Variation {
  const changes = new Map(run.variation.changes)
  const texts = new Map(run.variation.texts)
  for (const path of call.lastReads) {
    const text = other.variation.texts?.get(path)
    if (text !== undefined) texts.set(path, text)
    const read = other.reads.get(path)
    if (read && chooseOf(run.variation, path, { count: read.count, values: read }) !== read.chosen)
      changes.set(path, read.chosen)
  }
  return { ...run.variation, changes, ...(texts.size > 0 && { texts }) }
}

/** Whether a run, or several by way of other steps, show the order of two steps. */
function toOrderTest(runs: readonly ExploringRun[]): (left: string, right: string) => boolean {
  const after = new Map<string, Set<string>>()
  for (const { calls } of runs)
    for (const [index, { id }] of calls.entries()) {
      const later = after.get(id) ?? new Set()
      after.set(id, later)
      for (const call of calls.slice(index + 1)) later.add(call.id)
    }
  const leads = (from: string, to: string): boolean => {
    const seen = new Set([from])
    // A set is walked in the order of insertion, additions included.
    for (const id of seen) for (const next of after.get(id) ?? []) seen.add(next)
    return seen.has(to)
  }
  const isSeen = (from: string, to: string): boolean => after.get(from)?.has(to) ?? false
  return (left, right) => isSeen(left, right) || isSeen(right, left) || leads(left, right) || leads(right, left)
}
