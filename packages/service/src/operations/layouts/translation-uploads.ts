import { isObject, type JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { filledText, jsonMap, jsonObject, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { findExceededLimit, inputLimits } from '../../json/scan-json.ts'
import { translationImport, translationUpload } from '../../resources/translation.ts'
import { parseLocale } from '../../translations/locale.ts'
import { findResource } from './translated-resource.ts'
import { importTexts, refuseWrongTexts, storeTexts } from './translation-row.ts'

const maxFiles = 100
const file = z.strictObject({ name: text(300), text: z.string() })
const resourceType = z.enum(['workflow', 'layout'], 'must be workflow or layout')
const masterJson = z.strictObject({
  workflows: jsonMap(filledText(), jsonObject()).optional(),
  layouts: jsonMap(filledText(), jsonObject()).optional(),
})
const common = { category: 'global', wrapped: false, form: true, access: 'edit', method: 'POST' } as const
const path = '/v2/translations'

/** Operations that import translations from files, one per locale, named like `en_US.json`. */
export const translationUploadOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'translations.upload',
    path: `${path}/upload`,
    summary: 'Saves the texts of a workflow or layout from files. An invalid file does not stop the others',
    body: z.strictObject({
      resourceId: filledText(),
      resourceType,
      files: z
        .array(file, 'must be files')
        .min(1, 'must have a file')
        .max(maxFiles, `must have at most ${maxFiles} files`),
    }),
    output: translationUpload,
    async handler(context, { body: { files, ...named } }) {
      const resource = { ...named, resourceId: (await findResource(context.store.db, context, named)).resourceId }
      const errors: string[] = []
      for (const one of files) {
        const error = await attempt(() => storeFile(context, resource, one))
        if (error !== undefined) errors.push(`${one.name}: ${error}`)
      }
      const failedUploads = errors.length
      return { totalFiles: files.length, successfulUploads: files.length - failedUploads, failedUploads, errors }
    },
  }),
  operation({
    ...common,
    // The legacy CLI reads the result from `data`.
    wrapped: true,
    name: 'translations.uploadMaster',
    path: `${path}/master-json/upload`,
    summary: 'Saves the texts of one language for many workflows and layouts from a file',
    body: z.strictObject({ file }),
    output: translationImport,
    async handler(context, { body }) {
      const locale = readLocale(body.file.name)
      const parsed = masterJson.safeParse(readContent(body.file.text))
      if (!parsed.success) {
        const issue = parsed.error.issues[0]
        throw invalid(['file', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not a translation file')
      }
      return importTexts(context, { locale, masterJson: parsed.data })
    },
  }),
])

interface Resource {
  readonly resourceType: string
  readonly resourceId: string
}

async function storeFile(context: CallContext, resource: Resource, one: z.infer<typeof file>): Promise<void> {
  const texts = { ...resource, locale: readLocale(one.name), content: readContent(one.text) }
  await refuseWrongTexts(context, texts.content)
  await context.store.transaction((tx) => storeTexts(tx, context, texts))
}

async function attempt(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

function readLocale(name: string): string {
  const locale = /\.json$/i.test(name) ? parseLocale(name.slice(0, -5)) : undefined
  if (locale === undefined) throw invalid('file', 'must be named after its language, such as en_US.json')
  return locale
}

function readContent(given: string): JsonObject {
  const { maxValues, maxDepth } = inputLimits
  const exceeded = findExceededLimit(Buffer.from(given), inputLimits)
  if (exceeded === 'maxValues') throw invalid('file', `has more than ${maxValues} values`)
  if (exceeded === 'maxDepth') throw invalid('file', `is nested deeper than ${maxDepth} levels`)
  try {
    const content: unknown = JSON.parse(given)
    if (isObject(content)) return content
  } catch (error) {
    throw invalid('file', `is not JSON: ${(error as Error).message}`)
  }
  throw invalid('file', 'must contain a JSON object')
}
