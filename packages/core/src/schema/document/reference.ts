import { isObject } from '../../base/json.ts'

/**
 * Finds the target of a reference within a document.
 *
 * @param reference - `#`, or `#` followed by a JSON pointer.
 * @returns The target; `undefined` if the reference has a different form or no target.
 * @source RFC 6901, section 6.
 */
export function findReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const segment of reference.slice(2).split('/')) {
    const key = decodeFragment(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(target)) target = target[Number(key)]
    else if (isObject(target) && Object.hasOwn(target, key)) target = target[key]
    else return undefined
  }
  return target
}

/** Decodes a fragment or a part of it; invalid percent-encoding is kept. */
export function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
