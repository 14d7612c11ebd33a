import { isObject, type JsonObject } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import { runInSandbox } from '../sandbox/sandbox.ts'

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

/** A text of translations. */
export interface PlacedText {
  /** The path of keys to the text. */
  readonly path: readonly string[]
  readonly text: string
}

/**
 * Checks translations before they are stored: nested objects of templates. Templates come from a tenant, so they are
 * parsed in the sandbox; do not call this in a transaction.
 *
 * @param content - The texts by key.
 * @param owner - Row id of the environment.
 * @returns The first error, if any.
 */
export async function checkTexts(content: JsonObject, owner: string): Promise<TextFault | undefined> {
  const templates: PlacedText[] = []
  const fault = collectTexts(content, templates)
  if (fault || templates.length === 0) return fault
  try {
    return ((await runInSandbox({ task: 'findTextFault', input: templates, owner })) as TextFault | null) ?? undefined
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    return { path: [], message: `cannot be checked: ${error.message}` }
  }
}

/** Adds the texts that are templates to a list, and returns the first other error. */
function collectTexts(content: JsonObject, templates: PlacedText[]): TextFault | undefined {
  let count = 0
  const check = (value: unknown, path: readonly string[]): TextFault | undefined => {
    if (typeof value === 'string') {
      count++
      if (count > maxTexts) return { path: [], message: `must have at most ${maxTexts} texts` }
      if (value.length > maxLength) return { path, message: `must have at most ${maxLength} characters` }
      if (value.includes('{{') || value.includes('{%')) templates.push({ path, text: value })
      return undefined
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
