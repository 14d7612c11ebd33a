import { findFilledAddress, type UnsafeAddress } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import { checkTemplate, renderTemplate } from '../../templates/render-template.ts'
import { splitTemplate } from '../../templates/segment.ts'
import { createTranslation, type Translator } from '../../translations/translate-text.ts'

/** A layout, ready to be rendered around an email. */
export interface Layout {
  /** The identifier, chosen by the caller. */
  readonly identifier: string
  /** HTML with a placeholder for the body. */
  readonly content: string
  /** Default values of the layout's own variables. */
  readonly defaults: JsonObject
}

/** An email body in its layout. */
export interface WrappedBody {
  readonly html: string
  /** Translation keys used in the layout that are missing in all locales. */
  readonly missing: readonly string[]
  /** A URL that became unsafe through the layout's variables or translations. */
  readonly unsafe?: UnsafeAddress | undefined
}

const bodyNames: readonly string[] = Object.freeze(['body', 'content'])

/**
 * Renders a layout around a body.
 *
 * @param body - The HTML body of the email.
 * @param translator - The layout's translations, the locale, and the layout's variables.
 * @throws {RenderLimitError} The email would be too long.
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
  // URLs in the body were checked when it was created.
  const unsafe = findFilledAddress(`${layout.content}\n${body}`, html, 'email')
  return { html, missing: [...missing], unsafe }
}

/**
 * Returns the errors in a layout's content before it is stored.
 *
 * @returns One sentence per error; empty for valid content.
 */
export function checkLayout(content: string): readonly string[] {
  const hasBody = splitTemplate(content).some(
    (segment) =>
      segment.kind === 'output' &&
      segment.expression?.path.length === 1 &&
      bodyNames.includes(segment.expression.path[0] ?? ''),
  )
  const faults = checkTemplate(content)
  return hasBody ? faults : ['The content must contain {{{body}}}, the placeholder of the body.', ...faults]
}

/** Returns whether a body is a complete HTML document, which cannot be wrapped in a layout. */
export function isWholeDocument(body: string): boolean {
  return /^\s*(?:<!doctype|<html)/i.test(body.slice(0, 1000))
}
