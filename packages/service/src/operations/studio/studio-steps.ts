import { type JsonObject, type MessageType, messageTypes, type StepReply } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, text } from '../../api/input.ts'
import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import { toBridgeError } from '../../bridge/bridge-error.ts'
import type { Delivery } from '../../channels/base/delivery.ts'
import { type PreviewedMessage, previewMessage } from '../../channels/preview-message.ts'
import { hideSecrets, loadHide } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { isObject, readText, toObject } from '../../json/json.ts'
import { controlsCheck, stepPreview } from '../../resources/studio/step-preview.ts'
import { unmarkBraces } from '../../templates/data-braces.ts'
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
    summary: 'Renders a step on sample data as it would be sent; the result contains a failure of the bridge',
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
    }),
    output: stepPreview,
    async handler(context, { params, body: { locale, ...body } }) {
      const { subscriber, ...rest } = body
      const input = locale === undefined ? body : { ...rest, subscriber: { ...subscriber, locale } }
      const asked = await askPreview(context, params, input)
      const { reply, marked, failure, record } = asked.outcome
      const hide = await loadHide(context)
      if (!reply) return { ok: false, error: hide(toError(failure)) }
      const shown = hide(await showMessage(context, asked, { input, reply: { ...reply, ...marked } }))
      return { ok: true, ...shown, durationMs: Math.round(record.durationMs * 10) / 10 }
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
      const { outcome } = await askPreview(context, params, { controls, storedControls: false })
      const issues = outcome.reply ? [] : toIssues(outcome.failure)
      if (issues === undefined) throw toBridgeError(outcome.failure)
      return { ok: issues.length === 0, issues: await hideSecrets(context, issues) }
    },
  }),
])

function toError(failure: BridgeFailure | undefined): JsonObject {
  const { code, message, data, status } = failure ?? { message: 'The bridge did not answer.', status: 502 }
  return { code: code ?? 'UnknownBridgeRequestError', message, data: data ?? null, status }
}

/** Errors that a step only reports after its controls were accepted. */
const laterCodes: ReadonlySet<string> = new Set([
  'StepExecutionFailedError',
  'StepExecutionTimeoutError',
  'ExecutionStateOutputInvalidError',
  'ProviderExecutionFailedError',
  'ExecutionProviderOutputInvalidError',
])

/** Returns the problems of the controls; undefined if the failure is not about them. */
function toIssues(failure: BridgeFailure | undefined): readonly JsonObject[] | undefined {
  if (failure === undefined) return undefined
  const { code, message, data } = failure
  if (laterCodes.has(code)) return []
  if (code === 'StepControlCompilationFailedError') {
    const { path: where, message: detail, line, column } = toObject(data)
    const place = typeof line === 'number' && typeof column === 'number' ? { line, column } : {}
    return [{ path: readText(where) ?? '', message: readText(detail) ?? message, ...place }]
  }
  if (code !== 'ExecutionStateControlInvalidError') return undefined
  // Bridges of the public framework send only the list.
  const listed = Array.isArray(data) ? data : toObject(data)['issues']
  const found = (Array.isArray(listed) ? listed : []).filter(isObject)
  const issues = found.map((one) => ({ path: String(one['path'] ?? ''), message: readText(one['message']) ?? message }))
  return issues.length > 0 ? issues : [{ path: '', message }]
}

interface Shown {
  readonly input: PreviewInput
  readonly reply: StepReply
}

async function showMessage(context: CallContext, asked: AskedPreview, { input, reply }: Shown): Promise<JsonObject> {
  const { outputs, providers, options, metadata } = reply
  const made: PreviewedMessage = channelTypes.has(asked.step.type)
    ? await previewMessage(context.store.db, toDelivery(context, asked, { input, reply }), context.vault)
    : { outputs: unmarkBraces(outputs), providers: unmarkBraces(providers), mail: null, warnings: [] }
  return {
    outputs: made.outputs,
    providers: made.providers,
    options,
    message: made.mail,
    warnings: [...(metadata?.warnings ?? []), ...made.warnings],
    removed: metadata?.removed ?? [],
  }
}

/** Returns a message of a run that does not exist. */
function toDelivery(context: CallContext, { workflow, step }: AskedPreview, { input, reply }: Shown): Delivery {
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
