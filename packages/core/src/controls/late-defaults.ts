import { isObject, joinPath } from '@trestle/protocol'
import type { ValueShape } from '../schema/value-shape.ts'

/** The path of a control, and how to handle a default there. */
export interface LatePlace {
  readonly path: string
  readonly shape: ValueShape | undefined
  /** Returns whether a default has to be rendered. */
  readonly wants: (value: unknown) => boolean
  readonly render: (value: unknown, place: { readonly path: string; readonly shape: ValueShape | undefined }) => unknown
}

/**
 * Adds defaults that the schema library filled in and that the JSON Schema does not list, for example inside a union or
 * a record. They are rendered like any other template.
 *
 * @param before - The controls before validation.
 * @returns The controls with rendered defaults; `before` itself if there are none.
 */
export function addLateDefaults(before: unknown, after: unknown, place: LatePlace): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    const items = before.map((item, index) => addLateDefaults(item, after[index], inside(place, index)))
    return items.some((item, index) => item !== before[index]) ? items : before
  }
  if (!isObject(before) || !isObject(after)) return before
  const added = Object.keys(after).flatMap((key): [string, unknown][] => {
    const inner = inside(place, key)
    if (!Object.hasOwn(before, key))
      return isDeclared(after[key], inner) ? [[key, place.render(after[key], inner)]] : []
    const value = addLateDefaults(before[key], after[key], inner)
    return value === before[key] ? [] : [[key, value]]
  })
  return added.length > 0 ? Object.fromEntries([...Object.entries(before), ...added]) : before
}

/**
 * Returns whether a value is a declared default, because only those are templates. A transform may have produced any
 * other value, such as already rendered text.
 */
function isDeclared(value: unknown, { shape, wants }: LatePlace): boolean {
  return shape !== undefined && wants(value) && shape.defaults.has(JSON.stringify(value))
}

function inside(place: LatePlace, key: string | number): LatePlace {
  const { path, shape } = place
  const inner = typeof key === 'number' ? shape?.item(key) : shape?.property(key)
  return { ...place, path: joinPath(path, key), shape: inner }
}
