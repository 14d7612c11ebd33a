import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { dictionaryOf } from '../dictionary/dictionary-of.ts'
import { sourceOf } from '../dictionary/source-of.ts'
import type { ExploringRun } from '../exploring/explore.ts'

/** Of a longer text the end may not have been read. */
const mostRead = 50_000
// A look for calls with a text is cheaper than to scan the source text, and most functions have none but those of steps.
const callWithText = /\w\s*\(\s*(['"`])(.*?)\1/g

/**
 * Returns the steps that are written in a function as those are that runs have called, and that none has called.
 *
 * @param workflow - The workflow.
 * @param runs - Its runs on sample data.
 */
export function findUnreached(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): readonly string[] {
  const reached = toReached(runs)
  const called = toTexts(workflow)
  // An id that is made of something is no text of its own.
  if (called.every((text) => reached.has(text) || text.includes('${'))) return []
  const { stepCalls } = dictionaryOf(workflow)
  const objects = toStepObjects(workflow, reached)
  return [...stepCalls].flatMap(([id, on]) =>
    !reached.has(id) && objects.some((object) => on.has(object)) ? [id] : [],
  )
}

/**
 * Returns whether a step is called at two places, where it may be two steps.
 *
 * @param workflow - The workflow.
 */
export function isWrittenTwice(workflow: RegisteredWorkflow): boolean {
  const { stepCalls } = dictionaryOf(workflow)
  const ids = toTexts(workflow).filter((text) => stepCalls.has(text))
  return new Set(ids).size < ids.length
}

function toTexts(workflow: RegisteredWorkflow): readonly string[] {
  return [...sourceOf(workflow).matchAll(callWithText)].map(([, , text = '']) => text)
}

/**
 * Returns whether nothing but the text of a function says which steps it has: whoever has found those that stand in it has found
 * all.
 *
 * @param workflow - The workflow.
 * @param runs - Its runs on sample data.
 */
export function tellsAllSteps(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): boolean {
  if (sourceOf(workflow).length > mostRead) return false
  const { closedObjects } = dictionaryOf(workflow)
  const objects = toStepObjects(workflow, toReached(runs))
  return objects.length > 0 && objects.every((object) => closedObjects.has(object))
}

function toReached(runs: readonly ExploringRun[]): ReadonlySet<string> {
  return new Set(runs.flatMap(({ calls }) => calls.map(({ id }) => id)))
}

/** What every known step is called on is the object of steps. */
function toStepObjects(workflow: RegisteredWorkflow, reached: ReadonlySet<string>): readonly string[] {
  const { stepCalls } = dictionaryOf(workflow)
  const [first = new Set<string>(), ...others] = [...reached].flatMap((id) => stepCalls.get(id) ?? [])
  const common = [...first].filter((object) => others.every((other) => other.has(object)))
  return common.includes('step') ? ['step'] : common
}
