import type { JsonObject } from '@trestle/protocol'
import { invalid } from '../../api/api-error.ts'
import { wrapInLayout } from '../../channels/email/layout.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText, toObject } from '../../json/json.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import { createRenderBudget, RenderLimitError } from '../../templates/render-budget.ts'
import { readTexts, type TextDrafts } from '../../translations/read-texts.ts'
import { checkContent } from './layout-row.ts'

export interface PreviewInput {
  /** Content that replaces the stored content: `{ email: { body } }`. */
  readonly controlValues?: JsonObject | undefined
  /** The subscriber of the preview: `{ subscriber }`. */
  readonly previewPayload?: JsonObject | undefined
  /** Unsaved translations of the layout, by locale. */
  readonly translations?: TextDrafts | undefined
}

const sampleBody = '<p>The content of the email.</p>'
const sampleSubscriber = { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }

/**
 * Renders a layout around a sample body.
 *
 * @param input - Content and subscriber that replace the defaults.
 * @throws {ApiError} 422 if the content cannot be rendered.
 */
export async function previewLayout(
  { store, environment }: CallContext,
  row: LayoutRow,
  { controlValues, previewPayload, translations }: PreviewInput,
): Promise<JsonObject> {
  const content = readText(toObject(controlValues?.['email'])['body']) ?? row.content
  checkContent(content, { field: 'controlValues.email.body', status: 422 })
  const subscriber = { ...sampleSubscriber, ...toObject(previewPayload?.['subscriber']) }
  const resource = { environmentId: environment.id, resourceType: 'layout', resourceId: row.identifier }
  const translator = {
    translations: await readTexts(store.db, resource, translations),
    locale: toObject(subscriber)['locale'],
    variables: { subscriber, payload: {}, environment: { name: environment.name } },
    budget: createRenderBudget(),
  }
  try {
    const { html } = wrapInLayout({ identifier: row.identifier, content, defaults: {} }, sampleBody, translator)
    return { result: { type: 'email', preview: { body: html } }, previewPayloadExample: { subscriber } }
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error
    throw invalid('controlValues.email.body', error.message)
  }
}
