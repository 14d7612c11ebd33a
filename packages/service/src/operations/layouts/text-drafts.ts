import type { z } from 'zod'
import { jsonMap, jsonObject, text } from '../../api/input.ts'
import { checkTexts } from '../../translations/check-texts.ts'
import { parseLocale } from '../../translations/locale.ts'
import type { TextDrafts } from '../../translations/read-texts.ts'

/** A language with an optional region, normalized. */
export const locale: z.ZodType<string> = text(20)
  .refine((value) => parseLocale(value) !== undefined, 'must be a language with an optional region, such as en_US')
  .transform((value) => parseLocale(value) ?? value)

const texts = jsonObject().superRefine((content, context) => {
  const fault = checkTexts(content)
  if (fault) context.addIssue({ code: 'custom', message: fault.message, path: [...fault.path] })
})

/** The input of unsaved translations in a preview. */
export const textDrafts: z.ZodType<TextDrafts> = jsonMap(locale, texts)
