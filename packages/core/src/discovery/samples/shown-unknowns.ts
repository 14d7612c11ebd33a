import type { JsonObject } from '@trestle/protocol'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { createPermissiveProxy, toPlainData } from './values/permissive/permissive-proxy.ts'
import { maxReads } from './values/permissive/readable.ts'
import type { VariationSource } from './variation/variation.ts'

/** How the data of a place without a schema is made. */
export interface UnknownPlace {
  /** Chooses the values. */
  readonly variationSource: VariationSource
  /** Literals of the source text. */
  readonly dictionary: Dictionary
  /** What is known of it; it wins. */
  readonly known?: JsonObject
}

/** What a preview shows at places without a schema: whatever code reads there, as a text by its name. */
export interface ShownUnknowns {
  /**
   * Creates what is shown at a place.
   *
   * @param path - The place.
   * @param place - How it is made.
   */
  show(path: string, place: UnknownPlace): unknown
  /** Returns what was read, by place: for code that works with plain data only. Empty where nothing was, or too much. */
  toPlain(): ReadonlyMap<string, unknown>
}

/** How unknown places are shown. */
export interface ShownUnknownsOptions {
  /** Plain data by place, as an earlier preview has read it. */
  readonly plain?: ReadonlyMap<string, unknown>
  /** The text that everything has. @default by its name */
  readonly text?: string | undefined
  /** Returns the fields that copies have; asked where something is copied. */
  copied(): ReadonlySet<string>
}

/**
 * Creates what one preview shows at places without a schema.
 *
 * @param options - How they are shown.
 */
export function createShownUnknowns({ plain = new Map(), text, copied }: ShownUnknownsOptions): ShownUnknowns {
  const made = new Map<string, unknown>()
  const readable = { text, reads: 0, copied }
  return {
    show(path, place) {
      if (plain.has(path)) return structuredClone(plain.get(path))
      const { variationSource, dictionary, known = {} } = place
      const shown = createPermissiveProxy(variationSource, path, { dictionary, known, readable })
      made.set(path, shown)
      return shown
    },
    toPlain() {
      const { reads } = readable
      // What read too much is a loop on it, which plain data would not let end.
      if (reads > maxReads) return new Map()
      // What is read for copies comes to an end, however much was read before.
      readable.reads = 0
      const plain = new Map([...made].map(([path, shown]) => [path, toPlainData(shown)]))
      return reads + readable.reads === 0 ? new Map() : plain
    },
  }
}
