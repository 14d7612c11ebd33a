import type { NearLiterals } from '../../text/near-literals.ts'
import type { VariationSource } from '../variation/variation.ts'

/** Limits on the size of a sample that is built eagerly. */
export interface SampleBudget {
  /** How many values may still be made. */
  values: number
}

const maxValues = 5000

/** Returns what a new sample may grow to. */
export function createSampleBudget(): SampleBudget {
  return { values: maxValues }
}

/** Where sample data is made for. */
export interface SampleLocation {
  /** Chooses among the values of a place. */
  readonly variationSource: VariationSource
  /** The document that references point into. */
  readonly root: unknown
  /** The path, in front of every place's name. */
  readonly path: string
  /** The property's name, for readable texts. */
  readonly name: string
  /** Distinguishes the items of one array. */
  readonly suffix: string
  /** How deep the place lies. */
  readonly depth: number
  /** The references that were followed on the way to it. */
  readonly followed: readonly string[]
  /** How much of this sample may still be built. */
  readonly budget: SampleBudget
  /** Whether fields are made when they are read, so that reading is noticed. */
  readonly lazy: boolean
  /** Literals of the function's text that its values may be compared with. */
  readonly literals: NearLiterals
  /** Whether optional fields without a default stay absent. */
  readonly isMinimal: boolean
  /** How many items an array can have. */
  readonly counts: readonly number[]
  /** Returns a value for a place whose schema says nothing. */
  readonly unknown: (path: string) => unknown
}
