import { createTextCache } from '../../../base/text-cache.ts'

const names = createTextCache<string>()

/**
 * Returns the property name at the end of a path, without item numbers and suffixes.
 *
 * @param path - A path in sample data.
 */
export function nameOf(path: string): string {
  return names.get(path, toName)
}

function toName(path: string): string {
  const parts = path.split('/').map((part) => part.replace(/[?|#(.].*$/, ''))
  return parts.findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? path
}
