import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { type Dictionary, toDictionary } from './dictionary.ts'

const dictionaries = new WeakMap<RegisteredWorkflow, Dictionary>()

/**
 * Returns the literals of a workflow function, collected once.
 *
 * @param workflow - The workflow.
 */
export function dictionaryOf(workflow: RegisteredWorkflow): Dictionary {
  const known = dictionaries.get(workflow)
  if (known) return known
  const made = toDictionary(sourceOf(workflow))
  dictionaries.set(workflow, made)
  return made
}

/**
 * Returns the source text of a workflow function; `''` where it cannot be had. A function that wraps another can show
 * the other's text by a `toString` of its own.
 *
 * @param workflow - The workflow.
 */
export function sourceOf({ run }: RegisteredWorkflow): string {
  try {
    return String(run)
  } catch {
    return ''
  }
}
