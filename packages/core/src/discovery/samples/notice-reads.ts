import { setOwn } from '../../base/json.ts'
import type { PlaceValues, VariationSource } from './variation/variation.ts'

/** A place of the plain sample, with the values it can have. */
export interface MadePlace {
  readonly path: string
  readonly count: number
  readonly values: PlaceValues | undefined
}

/** Where a transformed sample came from. */
export interface NoticeSource {
  /** The places of the sample before it was transformed. */
  readonly made: readonly MadePlace[]
  /** Notices what is read. */
  readonly variationSource: VariationSource
}

/**
 * Lays accessors over what a schema made of a sample, so that reading a field notices the places it came from: those of
 * its own path, and all that lie around it where a transform has named it.
 *
 * @param value - The transformed value.
 * @param path - Its path.
 * @param source - The places it came from.
 */
export function noticeReads(value: unknown, path: string, source: NoticeSource): unknown {
  const isContainer = isPlainObject(value) || Array.isArray(value)
  for (const { path: place, count, values } of source.made)
    if (isOf(place, path) || (!isContainer && place.startsWith(`${path}/`)))
      source.variationSource.choose(place, count, values)
  if (Array.isArray(value)) return value.map((item, index) => noticeReads(item, `${path}/${index}`, source))
  return isPlainObject(value) ? noticeFields(value, path, source) : value
}

function noticeFields(value: object, path: string, source: NoticeSource): object {
  const noticed: object = Object.create(Object.getPrototypeOf(value))
  const { made, variationSource } = source
  for (const key of Object.keys(value)) {
    const field = `${path}/${key}`
    // A name that the sample does not have is a transform's own: it may be made of anything beside it.
    const isKnown = made.some((place) => isOf(place.path, field) || place.path.startsWith(`${field}/`))
    const isNew = !isKnown && made.some((place) => place.path.startsWith(`${path}/`))
    let kept: { readonly value: unknown } | undefined
    Object.defineProperty(noticed, key, {
      enumerable: true,
      configurable: true,
      get() {
        if (kept) variationSource.touch(field)
        else if (isNew)
          for (const place of made)
            if (place.path.startsWith(`${path}/`)) variationSource.choose(place.path, place.count, place.values)
        kept ??= { value: noticeReads(Reflect.get(value, key), field, source) }
        return kept.value
      },
      set(next: unknown) {
        setOwn(noticed, key, next)
      },
    })
  }
  return noticed
}

/** Whether a place is that of the path, or one of its branches. */
function isOf(place: string, path: string): boolean {
  return place === path || place.startsWith(`${path}|`)
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
