import type { Dictionary } from '../../../dictionary/dictionary.ts'
import type { VariationSource } from '../../variation/variation.ts'
import type { ToField } from '../sample-location.ts'

/** How a value is shown to a person. */
export interface Readable {
  /** The text of every value. @default by the name of its property */
  readonly text?: string | undefined
  /** How much was read of it; a loop on it must come to an end. */
  reads: number
  /** Returns the fields that copies of it have; asked where something is copied. @default none */
  readonly copied?: () => ReadonlySet<string>
}

/** The state behind a permissive proxy. */
export interface Node {
  readonly variationSource: VariationSource
  readonly dictionary: Dictionary
  readonly path: string
  /** Makes its fields, where it is known of what kind they are. */
  readonly toField: ToField | undefined
  readonly depth: number
  /** The value it is a property of, and under which name; for calls. */
  readonly parent: Node | undefined
  readonly name: string
  /** Its properties, as far as they were read or set. */
  readonly own: Map<PropertyKey, unknown>
  /** The names of those that code or the call has set. */
  readonly given: Set<PropertyKey>
  /** Set where the value is shown, and not only run with. */
  readonly readable: Readable | undefined
  /** Whether it was used as a text, and whether it was called. */
  readonly uses: { text?: true; call?: true }
}
