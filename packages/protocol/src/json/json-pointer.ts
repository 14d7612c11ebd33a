/**
 * Converts a path in a JSON value to a JSON pointer.
 *
 * @param segments - Keys and indexes, outermost first.
 * @source RFC 6901, section 3.
 * @example
 * toPointer(['items', 0, 'a/b']) // '/items/0/a~1b'
 */
export function toPointer(segments: readonly PropertyKey[]): string {
  return segments.reduce(joinPath, '')
}

/**
 * Returns a JSON pointer extended by a key or index.
 *
 * @param segment - The key, unescaped.
 * @example
 * joinPath('/items/0', 'a/b') // '/items/0/a~1b'
 */
export function joinPath(pointer: string, segment: PropertyKey): string {
  const key = String(segment)
  // Most keys need no escaping, and replacing takes longer than looking.
  return `${pointer}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

/**
 * Returns the keys of a JSON pointer, outermost first.
 *
 * @param pointer - The pointer; an empty one refers to the value itself.
 * @source RFC 6901, section 4.
 * @example
 * splitPointer('/items/0/a~1b') // ['items', '0', 'a/b']
 */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Returns the part of a JSON value that a pointer refers to; undefined if there is none. Inherited properties are not
 * found.
 *
 * @example
 * findPointer({ items: [{ id: 7 }] }, '/items/0/id') // 7
 */
export function findPointer(value: unknown, pointer: string): unknown {
  return findPath(value, splitPointer(pointer))
}

/**
 * Returns the part of a value at a path; undefined if there is none. Inherited properties are not found.
 *
 * @param path - Keys and indexes, outermost first.
 * @example
 * findPath({ items: [{ id: 7 }] }, ['items', 0, 'id']) // 7
 */
export function findPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value
  for (const key of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined
    part = Reflect.get(part, key)
  }
  return part
}

/**
 * Returns the target of a reference within a JSON document; undefined if it has none, or is not within the document.
 *
 * @param document - The document.
 * @param reference - `#`, or `#` followed by a JSON pointer.
 * @source RFC 6901, section 6.
 * @example
 * findReference({ $defs: { name: { type: 'string' } } }, '#/$defs/name') // { type: 'string' }
 */
export function findReference(document: unknown, reference: string): unknown {
  return /^#(\/|$)/.test(reference) ? findPointer(document, decodePercent(reference.slice(1))) : undefined
}

/**
 * Decodes a part of a URL. If the encoding is invalid, it stays unchanged.
 *
 * @example
 * decodePercent('caf%C3%A9') // 'café'
 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
