import type { NearLiterals } from '../../text/near-literals.ts'
import type { VariationSource } from '../variation/variation.ts'

/** Limits on the size of a sample that is built eagerly. */
export interface SampleBudget {
  /** How many more values may be created. */
  values: number
}

const maxValues = 5000

/** Returns the size limits of a new sample. */
export function createSampleBudget(): SampleBudget {
  return { values: maxValues }
}

/** The location for which sample data is created. */
export interface SampleLocation {
  /** Selects the value of a path. */
  readonly variationSource: VariationSource
  /** The document that references point into. */
  readonly root: unknown
  /** The prefix of every path. */
  readonly path: string
  /** The property name, for readable text. */
  readonly name: string
  /** Distinguishes the items of one array. */
  readonly suffix: string
  /** The depth of the location. */
  readonly depth: number
  /** The references followed so far. */
  readonly followed: readonly string[]
  /** The remaining size of this sample. */
  readonly budget: SampleBudget
  /** Whether fields are created when they are read, so that reads are recorded. */
  readonly lazy: boolean
  /** Literals from the source text that its values may be compared with. */
  readonly literals: NearLiterals
  /** Whether optional fields without a default stay absent. */
  readonly isMinimal: boolean
  /** The possible numbers of items in an array. */
  readonly counts: readonly number[]
  /** Returns a value for a location without schema information. */
  readonly unknown: (path: string) => unknown
}
