import { applyFilters, isFilter, toText } from '../templates/filter.ts'
import type { RenderBudget } from '../templates/render-budget.ts'
import { type RenderOptions, readPath, renderTemplate } from '../templates/render-template.ts'
import { toLocaleChain } from './locale.ts'

/** The texts of one resource in one locale; keys may be nested. */
export interface LocaleTexts {
  /** The locale, as {@link parseLocale} writes it. */
  readonly locale: string
  /** Texts by key. */
  readonly content: Readonly<Record<string, unknown>>
}

/** Dependencies for translating texts. */
export interface Translator {
  /** The translations there are. */
  readonly translations: readonly LocaleTexts[]
  /** The subscriber's locale. */
  readonly locale: unknown
  /** The variables that outputs inside of a translation may name: payload, subscriber, ... */
  readonly variables: Readonly<Record<string, unknown>>
  /** The work that translating may do. */
  readonly budget: RenderBudget
}

/** A text with its translations put in. */
export interface TranslatedText {
  /** The text. */
  readonly text: string
  /** Keys that no locale has a text for; their outputs are left as they were written. */
  readonly missing: readonly string[]
}

const maxAddedLength = 1_000_000

/**
 * Puts the translations into a text: each `{{ t.key }}` becomes the text of the first locale of the chain that has it,
 * with its variables filled in. Everything else is left alone.
 *
 * @param text - Text that may hold outputs of `t`.
 * @param translator - Translations, locale and variables.
 * @param isHtml - Whether the text is HTML: values of variables are then escaped, translations are HTML themselves.
 * @throws {RenderLimitError} When the result would be too long.
 */
export function translateText(text: string, translator: Translator, isHtml: boolean): TranslatedText {
  if (!text.includes('{{')) return { text, missing: [] }
  const { replace, missing } = createTranslation(translator, isHtml)
  const translated = renderTemplate(text, {
    variables: {},
    isHtml: false,
    budget: translator.budget,
    // The text itself was accepted from the bridge; only what is put in is limited.
    maxLength: text.length + maxAddedLength,
    replace: (expression, output) => replace(expression, output) ?? output.source,
  })
  return { text: translated, missing: [...missing] }
}

/** Puts translations into a template while it is rendered. */
export interface Translation {
  /** Returns the text of an output of `t`, and `undefined` for every other output. */
  readonly replace: NonNullable<RenderOptions['replace']>
  /** Keys no locale has a text for, as they are found. */
  readonly missing: ReadonlySet<string>
}

/**
 * Creates what puts translations into a template in the same pass in which it is rendered, so that nothing that was put
 * in is read as a template.
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
      const found = findText(key, translator)
      const value = found === undefined ? undefined : renderTemplate(found, { ...translator, isHtml })
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
    const text = readPath(content, key) ?? readPath(content, [key.join('.')])
    if (typeof text === 'string') return text
  }
  return undefined
}
