import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../json/json.ts'
import { checkTemplate } from '../templates/render-template.ts'

/** A fault of translated texts. */
export interface TextFault {
  /** The keys that lead to it. */
  readonly path: readonly string[]
  /** The fault, for people. */
  readonly message: string
}

const maxDepth = 10
const maxTexts = 5000
const maxLength = 20_000

/**
 * Checks texts that are about to be stored: nested objects of texts whose outputs can be rendered.
 *
 * @param content - The texts by key.
 * @returns The first fault, if there is one.
 */
export function checkTexts(content: JsonObject): TextFault | undefined {
  let count = 0
  const check = (value: unknown, path: readonly string[]): TextFault | undefined => {
    if (typeof value === 'string') {
      count++
      if (count > maxTexts) return { path: [], message: `must hold at most ${maxTexts} texts` }
      if (value.length > maxLength) return { path, message: `must have at most ${maxLength} characters` }
      const [fault] = checkTemplate(value)
      return fault === undefined ? undefined : { path, message: fault }
    }
    if (!isObject(value)) return { path, message: 'must be a text, or an object of texts' }
    if (path.length >= maxDepth) return { path, message: `must not be nested deeper than ${maxDepth} levels` }
    for (const [key, item] of Object.entries(value)) {
      const fault = check(item, [...path, key])
      if (fault) return fault
    }
    return undefined
  }
  return check(content, [])
}
