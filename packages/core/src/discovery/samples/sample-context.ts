import type { StepContext } from '../../workflow/kinds/signature.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { type Dictionary, noDictionary } from '../dictionary/dictionary.ts'
import { type LiteralVariant, toTextVariants } from './values/literal-variants.ts'
import type { PlaceValues, VariationSource } from './variation/variation.ts'

const statuses: readonly string[] = ['completed', 'skipped', 'canceled', 'failed']
const leftOut = { toJSON: (): undefined => undefined }

const readOf: unique symbol = Symbol('read')

interface Read {
  readonly [readOf]: { readonly place: StatusPlace; readonly variationSource: VariationSource }
}

// Shared: accessors of its own would cost every result a hidden class.
const fields: PropertyDescriptorMap & ThisType<Read> = {
  status: {
    enumerable: true,
    get() {
      return readStatus(this[readOf])
    },
  },
  error: {
    enumerable: true,
    get() {
      return readStatus(this[readOf]) === 'failed'
    },
  },
}

/**
 * Returns how a step of a sample run ended. Its status is a place like any other, so it is varied where it is read.
 *
 * @param call - The step.
 * @param variationSource - Chooses and remembers.
 * @param dictionary - The literals of the source text.
 */
export function toSampleContext(
  { id }: StepCall,
  variationSource: VariationSource,
  dictionary: Dictionary = noDictionary,
): StepContext {
  const place = placeOf(id, dictionary)
  const state = Object.defineProperties({ [readOf]: { place, variationSource } }, fields)
  return Object.assign(Object.create(leftOut), { timestamp: 0, state })
}

function readStatus({ place, variationSource }: Read[typeof readOf]): string {
  const index = variationSource.choose(place.path, statuses.length, place)
  return statuses[index] ?? String(place.literals[index - statuses.length]?.value ?? 'completed')
}

/**
 * Returns whether a step of a sample run completed, without counting as a read of its status.
 *
 * @param call - The step.
 * @param variationSource - Chooses.
 * @param dictionary - The literals of the source text.
 */
export function isCompleted(
  { id }: StepCall,
  variationSource: VariationSource,
  dictionary: Dictionary = noDictionary,
): boolean {
  const place = placeOf(id, dictionary)
  return variationSource.peek(place.path, statuses.length, place) === 0
}

interface StatusPlace extends PlaceValues {
  readonly path: string
  readonly literals: readonly LiteralVariant[]
}

const known = new WeakMap<Dictionary, Map<string, StatusPlace>>()
const maxKnown = 2000

/** Each run asks twice for each step. */
function placeOf(id: string, dictionary: Dictionary): StatusPlace {
  const kept = known.get(dictionary)
  const places = kept && kept.size < maxKnown ? kept : new Map<string, StatusPlace>()
  if (places !== kept) known.set(dictionary, places)
  const place = places.get(id) ?? toPlace(id, dictionary)
  places.set(id, place)
  return place
}

function toPlace(id: string, dictionary: Dictionary): StatusPlace {
  const path = `steps/${id}/_ctx/status`
  let literals: readonly LiteralVariant[] | undefined
  return {
    path,
    isAside: true,
    // Looked for where the status is read: to read the source text of a function that reads nothing would be in vain.
    get literals() {
      literals ??= toTextVariants(dictionary, path).filter(
        ({ value, isNear }) => isNear && typeof value === 'string' && !statuses.includes(value),
      )
      return literals
    },
  }
}
