import type { JsonObject } from '@trestle/protocol'
import type { NearLiterals } from '../text/near-literals.ts'
import { createPermissiveProxy, toPlainData } from './values/permissive/permissive-proxy.ts'
import { maxReads } from './values/permissive/readable.ts'
import type { VariationSource } from './variation/variation.ts'

/** How the data of a place without a schema is made. */
export interface UnknownPlace {
  readonly variationSource: VariationSource
  readonly literals: NearLiterals
  readonly known?: JsonObject | undefined
}

/** What a preview shows at places without a schema: whatever code reads there, as a text by its name. */
export interface ShownUnknowns {
  /**
   * Creates what is shown at a place.
   *
   * @param path - The place.
   * @param place - What chooses the values, the literals of the text, and what is known of it, which wins.
   */
  show(path: string, place: UnknownPlace): unknown
  /** Returns what was read, by place: for code that works with plain data only. Empty if nothing was, or too much. */
  toPlain(): ReadonlyMap<string, unknown>
}

/**
 * Creates what one preview shows at places without a schema.
 *
 * @param plain - Plain data by place, as an earlier preview has read it.
 */
export function createShownUnknowns(plain: ReadonlyMap<string, unknown> = new Map()): ShownUnknowns {
  const made = new Map<string, unknown>()
  const readable = { reads: 0 }
  return {
    show(path, { variationSource, literals, known = {} }) {
      if (plain.has(path)) return structuredClone(plain.get(path))
      const shown = createPermissiveProxy(variationSource, path, { literals, known, readable })
      made.set(path, shown)
      return shown
    },
    toPlain() {
      // What read too much is a loop on it, which plain data would not let end.
      if (readable.reads === 0 || readable.reads > maxReads) return new Map()
      return new Map([...made].map(([path, shown]) => [path, toPlainData(shown)]))
    },
  }
}
