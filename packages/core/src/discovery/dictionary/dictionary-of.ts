import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { type Dictionary, noDictionary, toDictionary } from './dictionary.ts'
import { sourceOf } from './source-of.ts'

const ownOf: unique symbol = Symbol('own')
const mayAsk: unique symbol = Symbol('may ask for fields')

interface Lazy {
  /** Scans the source text at the first call. */
  readonly [ownOf]: () => Dictionary
  /** Returns whether the source text has one of {@link wordsForFields}. */
  readonly [mayAsk]: () => boolean
}

const dictionaries = new WeakMap<RegisteredWorkflow, Dictionary>()

// Every object of a sample asks for it: a look at the text is cheaper than to scan it, and most have none of the words.
const wordsForFields = /\b(?:keys|values|entries|in|hasOwn|hasOwnProperty|getOwnPropertyNames|ownKeys)\b/
const accessors: PropertyDescriptorMap = {}
for (const key of Object.keys(noDictionary) as (keyof Dictionary)[])
  accessors[key] = {
    get(this: Lazy) {
      return this[ownOf]()[key]
    },
  }
accessors['asksForFields'] = {
  get(this: Lazy) {
    return this[mayAsk]() && this[ownOf]().asksForFields
  },
}
/** Shared, since accessors of its own would cost each workflow more than all else of its discovery. */
const shared: object = Object.defineProperties({}, accessors)

/**
 * Returns the literals of a workflow function, collected once, when they are first asked for: a function that reads no
 * data has no use for them.
 *
 * @param workflow - The workflow.
 */
export function dictionaryOf(workflow: RegisteredWorkflow): Dictionary {
  const known = dictionaries.get(workflow)
  if (known) return known
  let own: Dictionary | undefined
  let hasWords: boolean | undefined
  const lazy: Lazy = {
    [ownOf]() {
      own ??= toDictionary(sourceOf(workflow))
      return own
    },
    [mayAsk]() {
      hasWords ??= wordsForFields.test(sourceOf(workflow))
      return hasWords
    },
  }
  const made: Dictionary = Object.assign(Object.create(shared), lazy)
  dictionaries.set(workflow, made)
  return made
}
