import { findPath, type JsonObject, toPointer } from '@trestle/protocol'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'
import { type DefaultPlace, findDefaultPlaces, onlyDefault } from './default-places.ts'
import { compileDefaults } from './fill-defaults.ts'
import { createComparison, type Path, withValues } from './value-path.ts'
import { compileValueShape, type ValueShape } from './value-shape.ts'
import { isAround } from './vendors/issue-places.ts'

/** The functions of a library's schema that are needed for its defaults. */
export interface StandardDefaultsSource {
  /** Converts the schema to JSON Schema; default functions are called again each time. */
  readonly show: () => JsonObject
  readonly check: CompiledSchema['check']
}

/** Fills in the defaults of a valid value whose library output is `output`. */
export type StandardFiller = (value: unknown, output: unknown) => unknown

/** The sources of default values, in the order in which they are tried. */
const origins = ['shown', 'library', 'shown anew', 'left out'] as const
// Bounds the attempts for a schema that rejects every candidate.
const maxRounds = 12

interface Filling {
  readonly value: unknown
  readonly output: unknown
  readonly places: readonly DefaultPlace[]
  readonly source: StandardDefaultsSource
  /** The number of sources tried so far, by path pattern, so that a long list needs no more rounds than a short one. */
  readonly tried: Map<string, number>
}

/**
 * Compiles the defaults of a library's schema. The JSON Schema lists the keys with defaults. However, it contains the
 * results of default functions from its creation, and does not show which branch of a union matches. Its default is
 * therefore only used if the library then gives the same output again. The next source is the value that the library
 * filled in, as JSON. The last one, for defaults followed by a transform, is a new conversion of the schema.
 */
export function compileStandardDefaults(view: JsonObject, source: StandardDefaultsSource): StandardFiller {
  const fillShown = compileDefaults(view) ?? ((value: unknown) => value)
  const shape = compileValueShape(view)
  return (value, output) => {
    const places = findDefaultPlaces({ value, output, filled: fillShown(value), shape })
    if (places.length === 0) return value
    return fillPlaces({ value, output, places, source, tried: new Map() })
  }
}

async function fillPlaces(filling: Filling): Promise<unknown> {
  const { value, places, source, tried } = filling
  for (let round = 0; round < maxRounds; round++) {
    const candidates = new Map(places.map((place) => [place, candidateOf(place, filling)]))
    const insertedDefaults = [...candidates].flatMap(([{ path }, candidate]) =>
      candidate === undefined ? [] : [[path, candidate] as const],
    )
    const filled = withValues(value, insertedDefaults)
    const verdict = await source.check(filled)
    const open = places.filter((place) => originOf(place, filling) !== 'left out')
    const isFit = toFitness(verdict, filling)
    const unfit = open.filter((place) => candidates.get(place) === undefined || !isFit(place))
    if (unfit.length === 0 && !verdict.issues) return filled
    // An issue at any other path may be caused by any of the inserted defaults, so each tries its next candidate.
    const moved = new Set((unfit.length > 0 ? unfit : open).map(({ pattern }) => pattern))
    if (moved.size === 0) return value
    for (const pattern of moved) tried.set(pattern, (tried.get(pattern) ?? 0) + 1)
  }
  return value
}

function originOf({ pattern }: DefaultPlace, { tried }: Filling): (typeof origins)[number] {
  return origins[tried.get(pattern) ?? 0] ?? 'left out'
}

function candidateOf(place: DefaultPlace, filling: Filling): unknown {
  const origin = originOf(place, filling)
  if (origin === 'shown') return place.declaredDefault
  if (origin === 'library') return toJson(findPath(filling.output, place.path))
  if (origin === 'left out') return undefined
  const shape = shapeAt(compileValueShape(filling.source.show()), place.path)
  return shape && onlyDefault(shape)
}

/**
 * Returns a function that returns whether a default is usable. A newly converted default cannot give the same output
 * again, but must not add what the library has omitted.
 */
function toFitness(verdict: Verdict, filling: Filling): (place: DefaultPlace) => boolean {
  const { issues } = verdict
  if (issues) return ({ path }) => !issues.some((issue) => isAround(toPointer(path), issue.path))
  const isSameAt = createComparison(filling.output, verdict.value)
  return (place) => {
    if (originOf(place, filling) !== 'shown anew') return isSameAt(place.path)
    return findPath(filling.output, place.path) !== undefined || findPath(verdict.value, place.path) === undefined
  }
}

function shapeAt(shape: ValueShape, path: Path): ValueShape | undefined {
  let place: ValueShape | undefined = shape
  for (const key of path) place = typeof key === 'number' ? place?.item(key) : place?.property(key)
  return place
}

/** Converts a default to JSON; `undefined` if JSON cannot represent it, such as a function. */
function toJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
