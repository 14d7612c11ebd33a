import { findPath, isObject } from '@trestle/protocol'
import type { JsonObject } from '../../api/generated/resources.ts'

/** Texts by key, such as `footer.address`. */
export type Texts = Readonly<Record<string, string>>

/** Flattens nested texts into full keys. */
export function toTexts(content: JsonObject, prefix = ''): Texts {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => {
      const key = `${prefix}${name}`
      return isObject(value) ? Object.entries(toTexts(value, `${key}.`)) : [[key, String(value)]]
    }),
  )
}

/**
 * Returns the content with one text changed; other texts stay as they are. An empty text is removed, so that the
 * fallback language is used instead. A text with the key of a group is not added, because it would replace the group.
 *
 * @param key - The full key of the text.
 */
export function withText(content: JsonObject, key: string, text: string): JsonObject {
  if (text === '' || Object.hasOwn(toTexts(content), key)) return replaceText(content, key, text)
  const place = findPlace(content, key)
  return place ? addText(content, place, text) : content
}

/** Returns whether a key has other texts below it, so that it cannot have a text. */
export function isGroup(content: JsonObject, key: string): boolean {
  return isObject(findPath(content, key.split('.'))) || isObject(findPath(content, [key]))
}

/** Returns an existing key that conflicts with a new one: a key cannot have both a text and texts below it. */
export function findConflict(keys: readonly string[], newKey: string): string | undefined {
  return keys.find((key) => key.startsWith(`${newKey}.`) || newKey.startsWith(`${key}.`))
}

/** Replaces the text of a key, which can be nested or flat: `'footer.address'`. Removes groups that become empty. */
function replaceText(content: JsonObject, key: string, text: string): JsonObject {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => {
      if (isObject(value)) {
        if (!key.startsWith(`${name}.`)) return [[name, value]]
        const inner = replaceText(value, key.slice(name.length + 1), text)
        return Object.keys(inner).length === 0 ? [] : [[name, inner]]
      }
      if (name !== key) return [[name, value]]
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/** Returns the path for a new text; undefined if there is a group. */
function findPlace(content: JsonObject, key: string): readonly string[] | undefined {
  if (isGroup(content, key)) return undefined
  const isInText = Object.keys(toTexts(content)).some((other) => key.startsWith(`${other}.`))
  // A group would replace or hide the text. The service also finds flat keys.
  return isInText ? [key] : key.split('.')
}

function addText(content: JsonObject, [name = '', ...rest]: readonly string[], text: string): JsonObject {
  if (rest.length === 0) return { ...content, [name]: text }
  const group = findPath(content, [name])
  return { ...content, [name]: addText(isObject(group) ? group : {}, rest, text) }
}
