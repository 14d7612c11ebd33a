import type { NearLiterals } from '../../../text/near-literals.ts'
import type { VariationSource } from '../../variation/variation.ts'

/** How a value is shown to a person. */
export interface Readable {
  /** How much was read of it; a loop on it must come to an end. */
  reads: number
}

/** The state behind a permissive proxy. */
export interface Node {
  readonly variationSource: VariationSource
  readonly literals: NearLiterals
  readonly path: string
  readonly depth: number
  /** The value it is a property of, and under which name; for calls. */
  readonly parent: Node | undefined
  readonly name: string
  /** Its properties, as far as they were read or set. */
  readonly own: Map<PropertyKey, unknown>
  /** The names of those that code or the call has set. */
  readonly given: Set<PropertyKey>
  /** Present if the value is shown to a person. */
  readonly readable: Readable | undefined
  /** Whether it was used as a text, and whether it was called. */
  readonly uses: { text?: true; call?: true }
}
