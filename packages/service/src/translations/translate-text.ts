import { findPath } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { applyFilters, isFilter } from '../templates/filter.ts'
import type { RenderBudget } from '../templates/render-budget.ts'
import { type RenderOptions, renderTemplate } from '../templates/render-template.ts'
import { toLocaleChain } from './locale.ts'

/** The texts of one resource in one locale; keys may be nested. */
export interface LocaleTexts {
  /** The locale, as {@link parseLocale} returns it. */
  readonly locale: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Dependencies for translating texts. */
export interface Translator {
  /** The available translations. */
  readonly translations: readonly LocaleTexts[]
  /** The subscriber's locale. */
  readonly locale: unknown
  /** The variables of outputs inside a translation: payload, subscriber, ... */
  readonly variables: Readonly<Record<string, unknown>>
  /** The remaining rendering budget. */
  readonly budget: RenderBudget
}

export interface TranslatedText {
  readonly text: string
  /** Keys without a text in any locale; their outputs are kept as written. */
  readonly missing: readonly string[]
}

const maxAddedLength = 1_000_000

/**
 * Translates a text: replaces each `{{ t.key }}` with the text from the first locale in the chain that has it, with its
 * variables rendered. Everything else is kept.
 *
 * @param text - Text that can contain `t` outputs.
 * @param translator - The translations, locale and variables.
 * @param isHtml - Whether the text is HTML: variable values are then escaped; translations are themselves HTML.
 * @throws {RenderLimitError} The result would be too long.
 */
export function translateText(text: string, translator: Translator, isHtml: boolean): TranslatedText {
  if (!text.includes('{{')) return { text, missing: [] }
  const { replace, missing } = createTranslation(translator, isHtml)
  const translated = renderTemplate(text, {
    variables: {},
    isHtml: false,
    budget: translator.budget,
    // The text itself was accepted from the bridge; only inserted text is limited.
    maxLength: text.length + maxAddedLength,
    replace: (expression, output) => replace(expression, output) ?? output.source,
  })
  return { text: translated, missing: [...missing] }
}

/** Inserts translations into a template during rendering. */
export interface Translation {
  /** Returns the text of a `t` output, and `undefined` for all other outputs. */
  readonly replace: NonNullable<RenderOptions['replace']>
  /** Keys without a text in any locale, added as they are encountered. */
  readonly missing: ReadonlySet<string>
}

/**
 * Creates a translator that works in the same pass as rendering, so that inserted text is not parsed as a template.
 *
 * @param translator - Translations, locale and variables.
 * @param isHtml - Whether the text is HTML.
 */
export function createTranslation(translator: Translator, isHtml: boolean): Translation {
  const missing = new Set<string>()
  return {
    missing,
    replace({ path: [name, ...key], filters }, { source }) {
      if (name !== 't' || key.length === 0) return undefined
      const translation = findText(key, translator)
      const value = translation === undefined ? undefined : renderTemplate(translation, { ...translator, isHtml })
      const canRender = filters.every((filter) => isFilter(filter.name))
      if (canRender && (value !== undefined || filters.some((filter) => filter.name === 'default')))
        return toText(applyFilters(value, filters, translator.budget))
      missing.add(key.join('.'))
      return source
    },
  }
}

function findText(key: readonly string[], { translations, locale }: Translator): string | undefined {
  const chain = toLocaleChain(
    locale,
    translations.map((translation) => translation.locale),
  )
  for (const name of chain) {
    const content = translations.find((translation) => translation.locale === name)?.content
    const text = findPath(content, key) ?? findPath(content, [key.join('.')])
    if (typeof text === 'string') return text
  }
  return undefined
}
