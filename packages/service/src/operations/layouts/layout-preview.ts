import { describeUnsafe } from '@trestle/html/addresses'
import type { JsonObject } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import { invalid } from '../../api/api-error.ts'
import { toLayout } from '../../channels/content/find-layout.ts'
import type { LayoutInput, RenderedLayout } from '../../channels/content/wrap-in-layout.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText, toObject } from '../../json/json.ts'
import { runInSandbox } from '../../sandbox/sandbox.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
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
  context: CallContext,
  row: LayoutRow,
  { controlValues, previewPayload, translations }: PreviewInput,
): Promise<JsonObject> {
  const { store, environment } = context
  const content = readText(toObject(controlValues?.['email'])['body']) ?? row.content
  const field = 'controlValues.email.body'
  await checkContent(context, content, { field, status: 422 })
  const subscriber: JsonObject = { ...sampleSubscriber, ...toObject(previewPayload?.['subscriber']) }
  const resource = { environmentId: environment.id, resourceType: 'layout', resourceId: row.identifier }
  const variables = { subscriber, payload: {}, environment: { name: environment.name } }
  const texts = await readTexts(store.db, resource, { locale: subscriber['locale'], drafts: translations })
  const layout = { ...toLayout({ ...row, content }), texts }
  const rendered = await render({ layout, body: sampleBody, variables }, environment.id)
  if ('fault' in rendered) throw invalid(field, `cannot be rendered: ${rendered.fault}`)
  if (rendered.unsafe) throw invalid(field, describeUnsafe(rendered.unsafe))
  return { result: { type: 'email', preview: { body: rendered.html } }, previewPayloadExample: { subscriber } }
}

async function render(input: LayoutInput, owner: string): Promise<RenderedLayout> {
  try {
    return (await runInSandbox({ task: 'renderLayout', input, owner })) as RenderedLayout
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    return { fault: error.message }
  }
}
