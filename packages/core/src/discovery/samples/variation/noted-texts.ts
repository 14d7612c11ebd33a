import type { JsonObject } from '@trestle/protocol'

/** A place that has a text, or could have one. */
export interface NotedText {
  /** What it had; nothing where it was absent, or anything. */
  readonly text?: string | undefined
  /** What it may have. @default any text */
  readonly schema?: JsonObject | undefined
}

/** The places of one run that have a text, in the order in which they were read. */
export interface NotedTexts {
  /**
   * Remembers a place.
   *
   * @param path - The place.
   * @param noted - What it has.
   */
  note(path: string, noted: NotedText): void
  /** Counts a further read of a place, if it was noted. */
  touch(path: string): void
  /** Returns the places, each with how often it was read. */
  all(): ReadonlyMap<string, NotedText & { readonly times: number }>
}

const maxNoted = 200

/** Creates an empty memory of places. */
export function createNotedTexts(): NotedTexts {
  const noted = new Map<string, NotedText & { times: number }>()
  return {
    note(path, one) {
      const times = noted.get(path)?.times ?? 1
      if (noted.size < maxNoted || noted.has(path)) noted.set(path, { ...one, times })
    },
    touch(path) {
      const known = noted.get(path)
      if (known) known.times++
    },
    all: () => noted,
  }
}
