import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

const times = {
  createdAt: z.string().describe('When the first text was stored.'),
  updatedAt: z.string().describe('When a text was last stored.'),
}

const translated = {
  resourceId: z.string().describe('The identifier of the workflow or layout.'),
  resourceType: z.enum(['workflow', 'layout']).describe('The translated resource.'),
}

export const translation: z.ZodType = named('Translation', 'The texts of a workflow or layout in one language.', {
  ...translated,
  locale: z.string().describe('The language, such as `en_US`.'),
  content: jsonRecord.describe('The texts by key, each a Liquid template; keys may be nested.'),
  ...times,
})

export const translationGroup: z.ZodType = named(
  'TranslationGroup',
  'The languages that a workflow or layout is translated into.',
  {
    ...translated,
    resourceName: z.string().describe('The name of the workflow or layout.'),
    locales: z.array(z.string()).describe('The languages.'),
    ...times,
  },
)

export const translationMaster: z.ZodType = named('TranslationMaster', 'All texts of one language.', {
  workflows: jsonRecord.describe('The texts of workflows, by identifier.'),
  layouts: jsonRecord.describe('The texts of layouts, by identifier.'),
})

export const translationImport: z.ZodType = named('TranslationImport', 'The outcome of an import of translations.', {
  success: z.boolean().describe('Whether all texts were stored.'),
  message: z.string().describe('Stored and failed resources.'),
  successful: z.array(z.string()).optional().describe('The workflows and layouts with stored texts.'),
  failed: z.array(z.string()).optional().describe('The workflows and layouts without stored texts.'),
})

export const translationUpload: z.ZodType = named('TranslationUpload', 'The outcome of an upload of translations.', {
  totalFiles: z.number().describe('Number of files.'),
  successfulUploads: z.number().describe('Number of files that were stored.'),
  failedUploads: z.number().describe('Number of files that were not stored.'),
  errors: z.array(z.string()).describe('Reasons, one sentence per file that was not stored.'),
})

export const translatedResource: z.ZodType = named('TranslatedResource', 'A workflow or layout with translations.', {
  resourceType: z.enum(['workflow', 'layout']).describe('The kind of resource.'),
  resourceId: z.string().describe('Its identifier.'),
  resourceName: z.string().describe('Its display name.'),
  locales: z.array(z.string()).describe('Its languages.'),
  updatedAt: z.string().describe('When a text was last changed.'),
})
