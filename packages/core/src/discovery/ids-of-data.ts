import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { dictionaryOf } from './dictionary/dictionary-of.ts'
import type { ExploringRun } from './exploring/explore.ts'
import { hasCalled, type RecordedRun } from './recording/recorded-run.ts'
import type { Variation } from './samples/variation/variation.ts'

// Each is tried by a run of its own.
const maxTried = 10

/** How ids are tried. */
export interface IdTrial {
  /** Runs the function on sample data. */
  record(variation: Variation): Promise<RecordedRun>
  /** Returns whether another run may be made. */
  mayRun(): boolean
}

/**
 * Returns the step ids that are made of data: those that look so, unless they stay as they are where all free texts and
 * numbers of the sample are others.
 *
 * @param workflow - The workflow.
 * @param runs - The runs that showed its steps.
 * @param trial - Makes a run for a suspicion, of which most workflows raise none.
 */
export async function findIdsOfData(
  workflow: RegisteredWorkflow,
  runs: readonly ExploringRun[],
  { record, mayRun }: IdTrial,
): Promise<readonly string[]> {
  const suspects = toSuspects(workflow, runs)
  const tried = new Map<ExploringRun, RecordedRun>()
  const made: string[] = []
  for (const id of suspects) {
    const run = runs.find(({ calls }) => calls.some((call) => call.id === id))
    if (run && !tried.has(run) && tried.size < maxTried && mayRun())
      tried.set(run, await record({ ...run.variation, isRenamed: true }))
    const again = run && tried.get(run)
    if (!run || !again || again.end !== run.end || hasChanged(id, run, again)) made.push(id)
  }
  return made
}

/** Whether an id is gone and another has come. */
function hasChanged(id: string, run: RecordedRun, again: RecordedRun): boolean {
  if (hasCalled(again, id)) return false
  return again.calls.some((call) => !hasCalled(run, call.id))
}

/**
 * Ids that hold a free text of the sample data, or that differ by a number from run to run, and do not stand in the
 * source text themselves.
 */
function toSuspects(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): readonly string[] {
  const made = new Set<string>()
  // The fixed part in front of an expression is a piece of a literal, too.
  let written: readonly string[] | undefined
  const isWritten = (text: string): boolean => {
    written ??= String(workflow.run).match(/[`'"][^`'"$\n]{1,200}/g) ?? []
    return written.some((literal) => literal.includes(text))
  }
  for (const { calls, texts } of runs)
    if (texts.size > 0)
      for (const { id } of calls) if ([...texts].some((text) => isPartOf(text, id) && !isWritten(text))) made.add(id)
  for (const id of toNumberedByData(runs)) made.add(id)
  return [...made].filter((id) => !dictionaryOf(workflow).known.has(id))
}

/** A loop numbers its steps within one run; where each run has another number, it comes from data. */
function toNumberedByData(runs: readonly ExploringRun[]): readonly string[] {
  const groups = new Map<string, { readonly ids: Set<string>; isLoop: boolean }>()
  for (const { calls } of runs) {
    const inRun = new Map<string, string>()
    for (const { id } of calls) {
      const pattern = id.replace(/\d+/g, '#')
      if (pattern === id) continue
      const group = groups.get(pattern) ?? { ids: new Set<string>(), isLoop: false }
      groups.set(pattern, group)
      group.ids.add(id)
      group.isLoop ||= (inRun.get(pattern) ?? id) !== id
      inRun.set(pattern, id)
    }
  }
  return [...groups.values()].flatMap(({ ids, isLoop }) => (isLoop || ids.size < 2 ? [] : [...ids]))
}

function isPartOf(text: string, id: string): boolean {
  const at = text === '' ? -1 : id.indexOf(text)
  if (at === -1) return false
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  return !isWord(id[at - 1]) && !isWord(id[at + text.length])
}
