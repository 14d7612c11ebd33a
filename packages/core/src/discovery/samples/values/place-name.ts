import { createTextCache } from '../../../base/text-cache.ts'

const names = createTextCache<string>()

/**
 * Returns the name under which code reads a place: without the numbers of items and without what marks a place's parts.
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
