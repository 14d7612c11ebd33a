import { findFilledAddress, type UnsafeAddress } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import { checkTemplate, renderTemplate } from '../../templates/render-template.ts'
import { splitTemplate } from '../../templates/segment.ts'
import { createTranslation, type Translator } from '../../translations/translate-text.ts'

/** A layout, ready to be put around a mail. */
export interface Layout {
  /** The caller's own identifier. */
  readonly identifier: string
  /** HTML with the place of the body. */
  readonly content: string
  /** Values of the layout's own variables, where nothing else sets them. */
  readonly defaults: JsonObject
}

/** A mail's body with its layout around it. */
export interface WrappedBody {
  /** The whole HTML. */
  readonly html: string
  /** Keys of the layout's translations that no locale has. */
  readonly missing: readonly string[]
  /** An address that the layout's variables or translations have made unsafe. */
  readonly unsafe?: UnsafeAddress | undefined
}

const bodyNames: readonly string[] = Object.freeze(['body', 'content'])

/**
 * Renders a layout around a body.
 *
 * @param layout - The layout.
 * @param body - The mail's body, HTML.
 * @param translator - The layout's translations, the locale, and the variables the layout may name.
 * @throws {RenderLimitError} When the mail would be too long.
 */
export function wrapInLayout(layout: Layout, body: string, translator: Translator): WrappedBody {
  const { replace, missing } = createTranslation(translator, true)
  const html = renderTemplate(layout.content, {
    replace,
    variables: { ...layout.defaults, ...translator.variables, body, content: body },
    isHtml: true,
    htmlNames: bodyNames,
    budget: translator.budget,
    maxLength: 2_000_000 + body.length,
  })
  // What the body holds was judged where it was made.
  const unsafe = findFilledAddress(`${layout.content}\n${body}`, html, 'email')
  return { html, missing: [...missing], unsafe }
}

/**
 * Returns what is wrong with a layout's content that is about to be stored.
 *
 * @param content - The content.
 * @returns One sentence for each fault, none for sound content.
 */
export function checkLayout(content: string): readonly string[] {
  const hasBody = splitTemplate(content).some(
    (segment) =>
      segment.kind === 'output' &&
      segment.expression?.path.length === 1 &&
      bodyNames.includes(segment.expression.path[0] ?? ''),
  )
  const faults = checkTemplate(content)
  return hasBody ? faults : ['The content must hold {{{body}}}, the place of the body.', ...faults]
}

/**
 * Returns whether a body is a whole HTML document, which no layout can be put around.
 *
 * @param body - The body.
 */
export function isWholeDocument(body: string): boolean {
  return /^\s*(?:<!doctype|<html)/i.test(body.slice(0, 1000))
}
