import { isObject } from '../../base/json.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import type { VariationSource } from './values/variation.ts'

interface KeptSample {
  readonly schema: unknown
  readonly by: VariationSource
  readonly sample: unknown
}

const maxKept = 500
const keptOf = new WeakMap<CompiledSchema, Map<string, KeptSample>>()

/**
 * Returns the sample a preview shows for a place, made once: it is the same every time. Each caller gets a copy.
 *
 * @param payload - The workflow's payload schema, which samples of digests hold too.
 * @param place - The place's JSON Schema and path, and what chooses its values.
 * @param make - Makes the sample, and says whether it may be kept.
 */
export function memoizeSample(
  payload: CompiledSchema,
  { schema, path, by }: { readonly schema: unknown; readonly path: string; readonly by: VariationSource },
  make: () => { readonly sample: unknown; readonly isKept: boolean },
): unknown {
  const kept = keptOf.get(payload) ?? new Map<string, KeptSample>()
  keptOf.set(payload, kept)
  const known = kept.get(path)
  // A step has one schema in one run, and may have another in another bridge; in a loop its values are rotated.
  if (known && known.schema === schema && known.by === by) return copy(known.sample)
  const { sample, isKept } = make()
  if (!isKept) return sample
  if (kept.size >= maxKept) kept.clear()
  kept.set(path, { schema, by, sample: copy(sample) })
  return sample
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isObject(value)) return value
  const copied: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copied)) if (typeof copied[key] === 'object') copied[key] = copy(copied[key])
  return copied
}
