import { isObject } from '../../base/json.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'

interface KeptSample {
  readonly schema: unknown
  readonly sample: unknown
}

const maxKept = 500
const keptOf = new WeakMap<CompiledSchema, Map<string, KeptSample>>()

/**
 * Returns the sample a preview shows for a place, made once: it is the same every time. Each caller gets a copy.
 *
 * @param payload - The workflow's payload schema, which samples of digests hold too.
 * @param place - The place's JSON Schema and path.
 * @param make - Makes the sample.
 */
export function memoizeSample(
  payload: CompiledSchema,
  { schema, path }: { readonly schema: unknown; readonly path: string },
  make: () => unknown,
): unknown {
  const kept = keptOf.get(payload) ?? new Map<string, KeptSample>()
  keptOf.set(payload, kept)
  const known = kept.get(path)
  // A step has one schema in one run, and may have another in another bridge.
  if (known?.schema === schema) return copy(known?.sample)
  const sample = make()
  if (kept.size >= maxKept) kept.clear()
  kept.set(path, { schema, sample: copy(sample) })
  return sample
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isObject(value)) return value
  const copied: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      Object.defineProperty(copied, key, {
        value: copy(value[key]),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else copied[key] = copy(value[key])
  }
  return copied
}
