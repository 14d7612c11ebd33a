import { isObject } from '@trestle/protocol'
import type { JsonObject } from '../../api/generated/resources.ts'

/** Texts by key, such as `footer.address`. */
export type Texts = Readonly<Record<string, string>>

/** Flattens nested texts into full keys. */
export function toTexts(content: JsonObject, prefix = ''): Texts {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => {
      const key = `${prefix}${name}`
      if (typeof value === 'object' && value !== null) return Object.entries(toTexts(value as JsonObject, `${key}.`))
      return [[key, String(value)]]
    }),
  )
}

/**
 * Returns the content with one text changed. An empty text is removed, so that the fallback language is used instead.
 *
 * @param key - The full key of the text.
 */
export function withText(content: JsonObject, key: string, text: string): JsonObject {
  const [name = '', ...rest] = Object.hasOwn(content, key) ? [key] : key.split('.')
  const { [name]: before, ...others } = content
  if (rest.length === 0) return text === '' ? others : { ...content, [name]: text }
  const inner = withText(isObject(before) ? before : {}, rest.join('.'), text)
  return Object.keys(inner).length === 0 ? others : { ...content, [name]: inner }
}
