import { type Issue, isCodedError, type JsonObject, maxIssues } from '@trestle/protocol'
import { isObject, joinPath } from '../schema/rule.ts'
import { isTemplate, parseTemplate } from './template.ts'
import { templateEngine } from './template-engine.ts'

/**
 * Finds templates that cannot be compiled, without rendering anything: for reporting wrong defaults early.
 *
 * @param controls - Controls, or any JSON value that holds some.
 * @returns One issue for each wrong text; none when all compile.
 */
export async function checkTemplates(controls: JsonObject): Promise<readonly Issue[]> {
  const issues: Issue[] = []
  for (const [path, text] of textsOf(controls, '')) {
    if (!isTemplate(text) || issues.length >= maxIssues) continue
    try {
      parseTemplate(text, path, await templateEngine())
    } catch (error) {
      issues.push({ path, message: isCodedError(error) ? error.message : String(error) })
    }
  }
  return issues
}

function* textsOf(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, joinPath(path, index))
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* textsOf(item, joinPath(path, key))
}
