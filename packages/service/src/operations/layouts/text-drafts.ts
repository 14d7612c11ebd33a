import type { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { jsonMap, jsonObject, text } from '../../api/input.ts'
import type { CallContext } from '../../context/service-context.ts'
import { checkTexts } from '../../translations/check-texts.ts'
import { parseLocale } from '../../translations/locale.ts'
import type { TextDrafts } from '../../translations/read-texts.ts'

/** A language with an optional region, normalized. */
export const locale: z.ZodType<string> = text(20)
  .refine((value) => parseLocale(value) !== undefined, 'must be a language with an optional region, such as en_US')
  .transform((value) => parseLocale(value) ?? value)

/** The input of unsaved translations in a preview. */
export const textDrafts: z.ZodType<TextDrafts> = jsonMap(locale, jsonObject())

/**
 * Checks unsaved translations.
 *
 * @throws {ApiError} 422 if they cannot be rendered.
 */
export async function checkDrafts({ environment }: CallContext, drafts: TextDrafts = {}): Promise<void> {
  for (const [name, content] of Object.entries(drafts)) {
    const fault = await checkTexts(content, environment.id)
    if (fault) throw invalid(['translations', name, ...fault.path].join('.'), fault.message)
  }
}
