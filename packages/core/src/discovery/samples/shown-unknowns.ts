import type { JsonObject } from '@trestle/protocol'
import { createPermissiveProxy, toPlainData } from './values/permissive/permissive-proxy.ts'
import { maxReads } from './values/permissive/readable.ts'
import type { VariationSource } from './variation/variation.ts'

/** What a preview shows at places without a schema: whatever code reads there, as a text by its name. */
export interface ShownUnknowns {
  /**
   * Creates what is shown at a place.
   *
   * @param path - The place.
   * @param variationSource - Chooses the values.
   * @param known - What is known of it; it wins.
   */
  show(path: string, variationSource: VariationSource, known?: JsonObject): unknown
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
    show(path, variationSource, known = {}) {
      if (plain.has(path)) return structuredClone(plain.get(path))
      const shown = createPermissiveProxy(variationSource, path, { known, readable })
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
