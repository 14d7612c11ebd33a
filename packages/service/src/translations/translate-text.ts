import { applyFilter, isFilter, toText } from '../templates/filter.ts'
import { readPath, renderTemplate } from '../templates/render-template.ts'
import { toLocaleChain } from './locale.ts'

/** The texts of one resource in one locale; keys may be nested. */
export interface Translation {
  /** The locale, as {@link parseLocale} writes it. */
  readonly locale: string
  /** Texts by key. */
  readonly content: Readonly<Record<string, unknown>>
}

/** What texts are translated with. */
export interface Translator {
  /** The translations there are. */
  readonly translations: readonly Translation[]
  /** The subscriber's locale. */
  readonly locale: unknown
  /** What outputs inside of a translation may name: payload, subscriber, ... */
  readonly variables: Readonly<Record<string, unknown>>
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
  const missing = new Set<string>()
  const translated = renderTemplate(text, {
    variables: {},
    isHtml: false,
    // The text itself was accepted from the bridge; only what is put in is limited.
    maxLength: text.length + maxAddedLength,
    replace({ path: [name, ...key], filters }, { source }) {
      if (name !== 't' || key.length === 0) return source
      const found = findText(key, translator)
      const value = found === undefined ? undefined : renderTemplate(found, { ...translator, isHtml })
      const canRender = filters.every((filter) => isFilter(filter.name))
      if (canRender && (value !== undefined || filters.some((filter) => filter.name === 'default')))
        return toText(filters.reduce<unknown>(applyFilter, value))
      missing.add(key.join('.'))
      return source
    },
  })
  return { text: translated, missing: [...missing] }
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
