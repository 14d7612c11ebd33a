import { findPath, isObject } from '@trestle/protocol'
import type { Path } from './value-path.ts'
import type { ValueShape } from './value-shape.ts'

/** A key with a default that is missing from a value. */
export interface DefaultPlace {
  readonly path: Path
  /** The pattern of the path, which is the same for every item of a list. */
  readonly pattern: string
  /** The default in the JSON Schema; `undefined` if branches of a union have different defaults. */
  readonly declaredDefault: unknown
}

/** A value before and after validation. */
export interface ComparedValue {
  readonly value: unknown
  /** The output of the schema. */
  readonly output: unknown
  /** The value with the defaults that the JSON Schema has outside unions. */
  readonly filled: unknown
  readonly shape: ValueShape | undefined
}

/** Finds missing keys that have a default. Inside a union, the filled-in output shows which branch matches. */
export function findDefaultPlaces(compared: ComparedValue): readonly DefaultPlace[] {
  const places: DefaultPlace[] = []
  addPlaces(compared, [], places)
  return places
}

function addPlaces(compared: ComparedValue, path: Path, into: DefaultPlace[]): void {
  const { value, output, filled } = compared
  if (Array.isArray(value)) {
    for (const index of value.keys()) addPlaces(inside(compared, index), [...path, index], into)
    return
  }
  if (!isObject(value)) return
  for (const key of new Set([filled, output].flatMap((form) => (isObject(form) ? Object.keys(form) : [])))) {
    const inner = inside(compared, key)
    const place = [...path, key]
    if (inner.value !== undefined) addPlaces(inner, place, into)
    else if (inner.filled !== undefined) into.push(toPlace(place, inner.filled))
    else if (inner.output !== undefined && inner.shape && inner.shape.defaults.size > 0)
      into.push(toPlace(place, onlyDefault(inner.shape)))
  }
}

function inside({ value, output, filled, shape }: ComparedValue, key: string | number): ComparedValue {
  return {
    value: findPath(value, [key]),
    output: findPath(output, [key]),
    filled: findPath(filled, [key]),
    shape: typeof key === 'number' ? shape?.item(key) : shape?.property(key),
  }
}

function toPlace(path: Path, declaredDefault: unknown): DefaultPlace {
  return { path, pattern: JSON.stringify(path.map((key) => (typeof key === 'number' ? 0 : key))), declaredDefault }
}

/** Returns the declared default of a path; `undefined` if branches of a union declare different defaults. */
export function onlyDefault({ defaults }: ValueShape): unknown {
  const [only] = defaults
  return only === undefined || defaults.size > 1 ? undefined : JSON.parse(only)
}
