import { createTextCache } from '../../../base/text-cache.ts'
import type { Dictionary } from '../../dictionary/dictionary.ts'

const names = createTextCache<string>()

/**
 * Returns the name under which code reads a place: without the numbers of items and without what marks a place's parts.
 * Kept, because a place is read in every run.
 *
 * @param path - The place.
 */
export function nameOf(path: string): string {
  return names.get(path, toName)
}

function toName(path: string): string {
  const parts = path.split('/').map((part) => part.replace(/[?|#(.].*$/, ''))
  return parts.findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? path
}

/**
 * Returns the place within which another lies, without the mark of one that may be missing; `undefined` for a part of the data that
 * lies in none.
 *
 * @param path - The other place.
 */
export function containerOf(path: string): string | undefined {
  const at = path.lastIndexOf('/')
  return at === -1 ? undefined : path.slice(0, at)
}

/** The names of the fields that an object has which may have any. */
const madeUp = /^(?:field|other)(\d+)$/

/**
 * Returns the path of a field. What a made-up one holds is compared under the name of its object, as the items of a list
 * are.
 *
 * @param path - The object.
 * @param name - The field.
 * @param dictionary - The literals of the source text: fields are made up where it asks which there are.
 */
export function toFieldPath(path: string, name: string, { asksForFields }: Pick<Dictionary, 'asksForFields'>): string {
  return `${path}/${(asksForFields && madeUp.exec(name)?.[1]) || name}`
}
