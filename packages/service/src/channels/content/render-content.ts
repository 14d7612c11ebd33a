import { findFilledAddress } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import type { Content, Problem } from '../../engine/port/channel-port.ts'
import { readText, toObject } from '../../json/json.ts'
import { htmlFieldsOf, htmlPositions } from '../../messages/html-fields.ts'
import { unmarkBraces } from '../../templates/data-braces.ts'
import { type LiquidEngine, liquidEngine } from '../../templates/liquid-engine.ts'
import { createRenderBudget } from '../../templates/render-budget.ts'
import { toFaultText } from '../../templates/template-fault.ts'
import { createTranslator } from '../../translations/translator.ts'
import { unsafeAddressProblem } from '../base/unsafe-address-problem.ts'
import type { ContentInput } from './content-input.ts'
import { wrapInLayout } from './wrap-in-layout.ts'

const maxDepth = 100
const limits = { memory: 10_000_000, output: 1_000_000 }

/**
 * Translates the outputs of a step, and puts an email into its layout. Templates come from a tenant, so this runs in the
 * sandbox.
 */
export async function renderContent(input: ContentInput): Promise<Content> {
  const content = translate(input, await liquidEngine())
  const { layout, variables } = input
  if (!layout || content.problem) return content
  const { outputs } = content
  const { subject, preheader } = outputs
  const body = readText(outputs['body']) ?? ''
  const mail = await wrapInLayout({ layout, body, variables: { ...variables, subject, preheader } })
  return { ...content, mail }
}

/**
 * Inserts the translations of the workflow into the outputs of the bridge, in the recipient's language. Escaped braces
 * are data: they are not translated, and their escapes are removed.
 */
function translate(input: ContentInput, engine: LiquidEngine): Content {
  const { outputs, providers } = input
  const { translateAll, missing, findProblem } = createTranslation(input, engine)
  try {
    const translated = unmarkBraces({ outputs: translateAll(outputs), providers: translateAll(providers) })
    const problem = findProblem()
    return { ...translated, missing: [...missing], ...(problem && { problem }) }
  } catch (error) {
    const message = `The message is not sent: its translations cannot be inserted: ${toFaultText(error)}.`
    const problem: Problem = { code: 'content_invalid', message, status: 'error' }
    return { ...unmarkBraces({ outputs, providers }), missing: [], problem }
  }
}

function createTranslation({ type, texts, variables, outputs }: ContentInput, engine: LiquidEngine) {
  const missing = new Set<string>()
  const { subject, preheader } = outputs
  const given = {
    ...{ engine, missing, budget: createRenderBudget(limits) },
    contents: texts.map((text) => JSON.parse(text) as JsonObject),
    variables: { ...variables, subject, preheader },
  }
  const plain = createTranslator({ ...given, isHtml: false })
  const html = createTranslator({ ...given, isHtml: true })
  const fields = htmlFieldsOf(type)
  const position = htmlPositions[type]
  let problem: Problem | undefined

  function translateText(text: string, name: string): string {
    if (!fields.has(name)) return plain.translate(text)
    const translated = html.translate(text)
    const unsafe = position && findFilledAddress(text, translated, position)
    if (unsafe) problem ??= unsafeAddressProblem(`translation of "${name}"`, unsafe)
    return translated
  }

  function translateValue(value: unknown, name: string, depth: number): unknown {
    if (typeof value === 'string') return translateText(value, name)
    if (typeof value !== 'object' || value === null || depth > maxDepth) return value
    if (Array.isArray(value)) return value.map((item) => translateValue(item, name, depth + 1))
    const nameOf = (key: string): string => (fields.has(name) ? name : key)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, translateValue(item, nameOf(key), depth + 1)]),
    )
  }

  return {
    translateAll: (values: JsonObject): JsonObject => toObject(translateValue(values, '', 0)),
    missing,
    findProblem: () => problem,
  }
}
