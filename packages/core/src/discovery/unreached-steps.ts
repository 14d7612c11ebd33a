import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { dictionaryOf, sourceOf } from './dictionary/dictionary-of.ts'
import type { ExploringRun } from './recording/explore.ts'

// A look for calls with a text is cheaper than to scan the source text, and most functions have none but those of steps.
const callWithText = /\w\s*\(\s*(['"`])(.*?)\1/g

/**
 * Returns the steps that are written in a function as those are that runs have called, and that none has called.
 *
 * @param workflow - The workflow.
 * @param runs - Its runs on sample data.
 */
export function findUnreached(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): readonly string[] {
  const reached = new Set(runs.flatMap(({ calls }) => calls.map(({ id }) => id)))
  const called = [...sourceOf(workflow).matchAll(callWithText)].map(([, , text = '']) => text)
  // An id that is made of something is no text of its own.
  if (called.every((text) => reached.has(text) || text.includes('${'))) return []
  const { stepCalls } = dictionaryOf(workflow)
  const known = [...reached].flatMap((id) => stepCalls.get(id) ?? [])
  // What every known step is called on is the object of steps.
  const [first = new Set<string>(), ...others] = known
  const common = [...first].filter((object) => others.every((other) => other.has(object)))
  const objects = common.includes('step') ? ['step'] : common
  return [...stepCalls].flatMap(([id, on]) =>
    !reached.has(id) && objects.some((object) => on.has(object)) ? [id] : [],
  )
}
