import { isObject, setOwn } from '../../base/json.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import type { VariationSource } from './variation/variation.ts'

interface KeptSample {
  readonly schema: unknown
  readonly by: VariationSource
  /** With a {@link Hole} wherever there is no schema. */
  readonly sample: unknown
}

const openPlace: unique symbol = Symbol('open place')

/** Stands for a place without a schema, whose value each preview makes for itself. */
interface Hole {
  readonly [openPlace]: string
  /** Lists whose items must differ compare them as text. */
  toJSON(): string
}

/** A place whose sample is kept. */
export interface SamplePlace {
  /** Its JSON Schema. */
  readonly schema: unknown
  readonly path: string
  /** Chooses its values. */
  readonly by: VariationSource
}

/** How samples are made, and finished for each caller. */
export interface SampleParts {
  /**
   * Makes the sample of a place.
   *
   * @param place - The place.
   * @param unknown - What to put where there is no schema, by path.
   */
  make(place: SamplePlace, unknown: (path: string) => unknown): unknown
  /**
   * Makes the value of a place without a schema.
   *
   * @param path - The place.
   * @param by - Chooses its values.
   */
  fill(path: string, by: VariationSource): unknown
}

const maxKept = 500
/** How the paths of results begin. */
export const resultsPath = 'steps/'
const keptOf = new WeakMap<CompiledSchema, Map<string, KeptSample>>()

/**
 * Returns the sample a preview shows for a place, made once: it is the same every time, but for what no schema describes.
 * Each caller gets a copy.
 *
 * @param payload - The workflow's payload schema, which samples of digests hold too.
 * @param place - The place.
 * @param parts - Make the sample.
 */
export function memoizeSample(payload: CompiledSchema, place: SamplePlace, parts: SampleParts): unknown {
  const { schema, path, by } = place
  const kept = keptOf.get(payload) ?? new Map<string, KeptSample>()
  keptOf.set(payload, kept)
  const known = kept.get(path)
  // A step has one schema in one run, and may have another in another bridge; in a loop its values are rotated.
  if (known && known.schema === schema && known.by === by) return finish(known.sample, parts, place)
  const sample = parts.make(place, toHole)
  if (kept.size >= maxKept) kept.clear()
  kept.set(path, { schema, by, sample })
  return finish(sample, parts, place)
}

function toHole(path: string): Hole {
  return { [openPlace]: path, toJSON: () => path }
}

/** Copies a sample, and fills its holes. */
function finish(value: unknown, parts: SampleParts, { path, by }: SamplePlace): unknown {
  // Every result gets its context, and to add a field to what was spread costs ten times the copy.
  if (!path.startsWith(resultsPath) || !isObject(value) || openPlace in value) return copyOf(value, parts, by)
  const copied: Record<string, unknown> = {}
  for (const key in value) if (Object.hasOwn(value, key)) setOwn(copied, key, copyOf(value[key], parts, by))
  return copied
}

function copyOf(value: unknown, parts: SampleParts, by: VariationSource): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyOf(item, parts, by))
  const { [openPlace]: path } = value as Partial<Hole>
  if (path !== undefined) return parts.fill(path, by)
  const copied: Record<string, unknown> = { ...value }
  for (const key in copied) {
    const inner = copied[key]
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(copied, key)) continue
    // It is an own field already, so an assignment sets it whatever its name.
    copied[key] = copyOf(inner, parts, by)
  }
  return copied
}
