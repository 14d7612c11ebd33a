import type { NearLiterals } from '../../../text/near-literals.ts'
import type { VariationSource } from '../../variation/variation.ts'

/** How a value is displayed. */
export interface Readable {
  /** The number of reads so far, to end loops on the value. */
  reads: number
}

/** The state of a permissive proxy. */
export interface Node {
  readonly variationSource: VariationSource
  readonly literals: NearLiterals
  readonly path: string
  readonly depth: number
  /** The parent value and the property name; for calls. */
  readonly parent: Node | undefined
  readonly name: string
  /** Its properties that have been read or set. */
  readonly own: Map<PropertyKey, unknown>
  /** The names that were set by code or by the call. */
  readonly given: Set<PropertyKey>
  /** Set if the value is displayed. */
  readonly readable: Readable | undefined
  /** Whether it was used as text, and whether it was called. */
  readonly uses: { text?: true; call?: true }
}
