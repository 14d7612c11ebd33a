import { findFilledAddress, type UnsafeAddress } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import type { MailBody } from '../../engine/port/channel-port.ts'
import { liquidEngine, toHtml } from '../../templates/liquid-engine.ts'
import { createRenderBudget } from '../../templates/render-budget.ts'
import { toFaultText } from '../../templates/template-fault.ts'
import { parseTranslated } from '../../translations/translated-template.ts'
import { createTranslator } from '../../translations/translator.ts'
import { unsafeAddressProblem } from '../base/unsafe-address-problem.ts'
import type { Layout } from './content-input.ts'

/** What a layout is rendered with. JSON data. */
export interface LayoutInput {
  readonly layout: Layout
  /** The HTML body of the email. */
  readonly body: string
  /** The variables of the layout and its translations. */
  readonly variables: JsonObject
}

/** A rendered layout, or why it cannot be rendered. */
export type RenderedLayout = { readonly fault: string } | RenderedMail

interface RenderedMail {
  readonly html: string
  /** Translation keys of the layout without a text in any locale. */
  readonly missing: readonly string[]
  /** A URL that became unsafe through the layout's variables or translations. */
  readonly unsafe?: UnsafeAddress | undefined
}

const maxMemory = 10_000_000
/** The maximum length of a layout with its values, in characters. */
const maxOutput = 2_000_000

/** Puts the body of an email into its layout. If the layout cannot be rendered, the email is sent without it. */
export async function wrapInLayout(input: LayoutInput): Promise<MailBody> {
  const { body, layout } = input
  const name = `layout "${layout.identifier}"`
  if (isWholeDocument(body))
    return { html: body, warnings: [`The body is a complete document, so the ${name} is ignored.`] }
  const rendered = await renderLayout(input)
  if ('fault' in rendered) return { html: body, warnings: [`The ${name} is ignored, because ${rendered.fault}.`] }
  const { html, missing, unsafe } = rendered
  const warnings = missing.map((key) => `No locale has a translation of "${key}" in the ${name}.`)
  return { html, warnings, ...(unsafe && { problem: unsafeAddressProblem(name, unsafe) }) }
}

/** Renders a layout around a body. Templates come from a tenant, so this runs in the sandbox. */
export async function renderLayout({ layout, body, variables }: LayoutInput): Promise<RenderedLayout> {
  const engine = await liquidEngine()
  const missing = new Set<string>()
  const budget = createRenderBudget({ memory: maxMemory, output: maxOutput + body.length })
  const given = { ...layout.defaults, ...variables }
  const contents = layout.texts.map((text) => JSON.parse(text) as JsonObject)
  const { texts } = createTranslator({ engine, contents, variables: given, isHtml: true, budget, missing })
  const content = toHtml(body)
  try {
    const { nodes } = parseTranslated(layout.content, engine, true)
    const html = engine.render(nodes, { variables: { ...given, body: content, content }, budget, texts })
    // URLs in the body were checked when it was created.
    return { html, missing: [...missing], unsafe: findFilledAddress(`${layout.content}\n${body}`, html, 'email') }
  } catch (error) {
    return { fault: toFaultText(error) }
  }
}

/** Returns whether a body is a complete HTML document, which cannot be wrapped in a layout. */
function isWholeDocument(body: string): boolean {
  return /^\s*(?:<!doctype|<html)/i.test(body.slice(0, 1000))
}
