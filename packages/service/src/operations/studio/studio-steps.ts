import { type JsonObject, type MessageType, messageTypes, type StepReply } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, text } from '../../api/input.ts'
import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import type { Delivery } from '../../channels/base/delivery.ts'
import { type PreviewedMessage, previewMessage } from '../../channels/preview-message.ts'
import { loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText } from '../../json/json.ts'
import { controlsCheck, stepPreview } from '../../resources/studio/step-preview.ts'
import { unmarkBraces } from '../../templates/data-braces.ts'
import type { TextDrafts } from '../../translations/read-texts.ts'
import { findControlIssues } from '../bridge/check-controls.ts'
import { checkDrafts, textDrafts } from '../layouts/text-drafts.ts'
import { type AskedPreview, askPreview, type PreviewInput } from '../workflows/preview-step.ts'

const maxState = 500
const channelTypes: ReadonlySet<string> = new Set(messageTypes)
const common = { category: 'global', wrapped: true, access: 'view', method: 'POST' } as const
const path = '/v1/studio/workflows/{workflowId}/steps/{stepId}'

/** Operations that preview a step and test control values. */
export const studioStepOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.previewStep',
    path: `${path}/preview`,
    summary: 'Renders a step on sample data as it would be sent; a bridge failure is reported in the result',
    body: z.strictObject({
      payload: jsonObject().optional(),
      controls: jsonObject().optional(),
      storedControls: z.boolean().optional(),
      subscriber: jsonObject().optional(),
      state: z
        .array(z.strictObject({ stepId: filledText(), outputs: jsonObject() }))
        .max(maxState, `must have at most ${maxState} items`)
        .optional(),
      context: jsonObject().optional(),
      locale: text(50).optional(),
      translations: textDrafts.optional(),
    }),
    output: stepPreview,
    async handler(context, { params, body: { locale, translations = {}, ...body } }) {
      await checkDrafts(context, translations)
      const { subscriber, ...rest } = body
      const input = locale === undefined ? body : { ...rest, subscriber: { ...subscriber, locale } }
      const asked = await askPreview(context, params, input)
      const { reply, marked, failure, record } = asked.outcome
      const hide = await loadHide(context)
      if (!reply) return { ok: false, error: hide(toError(failure)) }
      const previewFields = hide(
        await showMessage(context, asked, { input, translations, reply: { ...reply, ...marked } }),
      )
      return { ok: true, ...previewFields, durationMs: Math.round(record.durationMs * 10) / 10 }
    },
  }),
  operation({
    ...common,
    name: 'studio.checkControls',
    path: `${path}/controls/check`,
    summary: 'Tests control values on sample data, and returns their problems',
    body: z.strictObject({ controls: jsonObject() }),
    output: controlsCheck,
    async handler(context, { params, body: { controls } }) {
      const issues = await findControlIssues(context, params, controls)
      return { ok: issues.length === 0, issues }
    },
  }),
])

function toError(failure: BridgeFailure | undefined): JsonObject {
  const { code, message, data, status } = failure ?? { message: 'The bridge did not answer.', status: 502 }
  return { code: code ?? 'UnknownBridgeRequestError', message, data: data ?? null, status }
}

interface Shown {
  readonly input: PreviewInput
  readonly reply: StepReply
  /** Unsaved translations of the workflow. */
  readonly translations: TextDrafts
}

async function showMessage(context: CallContext, asked: AskedPreview, previewSource: Shown): Promise<JsonObject> {
  const { outputs, providers, options, metadata } = previewSource.reply
  const previewedMessage: PreviewedMessage = channelTypes.has(asked.step.type)
    ? await previewMessage(context.store.db, toDelivery(context, asked, previewSource), {
        vault: context.vault,
        drafts: previewSource.translations,
      })
    : { outputs: unmarkBraces(outputs), providers: unmarkBraces(providers), mail: null, warnings: [] }
  return {
    outputs: previewedMessage.outputs,
    providers: previewedMessage.providers,
    options,
    message: previewedMessage.mail,
    warnings: [...(metadata?.warnings ?? []), ...previewedMessage.warnings],
    removed: metadata?.removed ?? [],
  }
}

/** Returns a message of a run that does not exist. */
function toDelivery(context: CallContext, { workflow, step }: AskedPreview, previewSource: Shown): Delivery {
  const { input, reply } = previewSource
  const { subscriber = {}, payload = {} } = input
  return {
    environmentId: context.environment.id,
    run: {
      id: '',
      transactionId: '',
      workflowId: workflow.id,
      workflowIdentifier: workflow.identifier,
      payload,
      overrides: {},
      contextKeys: [],
      tags: JSON.parse(workflow.tags) as readonly string[],
      severity: workflow.severity,
      critical: workflow.critical === 1,
    },
    job: { id: '', stepId: step.stepId, type: step.type as MessageType },
    subscriber: {
      ...subscriber,
      _id: '',
      subscriberId: readText(subscriber['subscriberId']) ?? '',
      email: readText(subscriber['email']) ?? null,
      phone: readText(subscriber['phone']) ?? null,
      locale: readText(subscriber['locale']) ?? null,
      channels: [],
    },
    outputs: reply.outputs,
    providers: reply.providers,
    nowMs: context.clock.now(),
  }
}
