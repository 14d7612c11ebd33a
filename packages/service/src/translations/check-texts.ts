import { isObject, type JsonObject } from '@trestle/protocol'
import { checkTemplate } from '../templates/render-template.ts'

/** An error in translations. */
export interface TextFault {
  /** The path of keys to the text. */
  readonly path: readonly string[]
  /** The human-readable message. */
  readonly message: string
}

const maxDepth = 10
const maxTexts = 5000
const maxLength = 20_000

/**
 * Checks translations before they are stored: nested objects of strings whose outputs can be rendered.
 *
 * @param content - The texts by key.
 * @returns The first error, if any.
 */
export function checkTexts(content: JsonObject): TextFault | undefined {
  let count = 0
  const check = (value: unknown, path: readonly string[]): TextFault | undefined => {
    if (typeof value === 'string') {
      count++
      if (count > maxTexts) return { path: [], message: `must have at most ${maxTexts} texts` }
      if (value.length > maxLength) return { path, message: `must have at most ${maxLength} characters` }
      const [fault] = checkTemplate(value)
      return fault === undefined ? undefined : { path, message: fault }
    }
    if (!isObject(value)) return { path, message: 'must be a string, or an object of strings' }
    if (path.length >= maxDepth) return { path, message: `must not be nested deeper than ${maxDepth} levels` }
    for (const [key, item] of Object.entries(value)) {
      const fault = check(item, [...path, key])
      if (fault) return fault
    }
    return undefined
  }
  return check(content, [])
}
