import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { type Dictionary, noDictionary, toDictionary } from './dictionary.ts'

const dictionaries = new WeakMap<RegisteredWorkflow, Dictionary>()

/**
 * Returns the literals of a workflow function, collected once, when they are first asked for: a function that reads no
 * data has no use for them.
 *
 * @param workflow - The workflow.
 */
export function dictionaryOf(workflow: RegisteredWorkflow): Dictionary {
  const known = dictionaries.get(workflow)
  if (known) return known
  let read: Dictionary | undefined
  const own = (): Dictionary => {
    read ??= toDictionary(sourceOf(workflow))
    return read
  }
  const made = {} as Dictionary
  for (const key of Object.keys(noDictionary) as (keyof Dictionary)[])
    Object.defineProperty(made, key, { enumerable: true, get: () => own()[key] })
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
