import { isOfClass, type StepName } from '@trestle/protocol'
import type { ChatOutput } from '../kinds/chat.ts'
import type { EmailOutput } from '../kinds/email.ts'
import type { InAppOutput, InAppResult } from '../kinds/in-app.ts'
import type { OnFailure } from '../kinds/outcome.ts'
import type { PushOutput } from '../kinds/push.ts'
import type { ChannelStep, CustomStep, ResultOf, TimingStep } from '../kinds/signature.ts'
import type { TextOutput } from '../kinds/sms.ts'
import type { StepKindRow } from '../kinds/step-kind.ts'
import type { DelayOutput, DelayResult } from '../kinds/timing/delay.ts'
import type { DigestOutput, DigestResult } from '../kinds/timing/digest.ts'
import type { ThrottleOutput, ThrottleResult } from '../kinds/timing/throttle.ts'
import type { EventStep } from '../kinds/timing/wait-for-event.ts'
import type { TriggerStep } from '../kinds/trigger.ts'
import * as kinds from './kinds.ts'

/** The names of the methods of `step`. */
export type StepKind = StepName

/** The step kinds by name. */
export const stepKinds: Readonly<Record<StepKind, StepKindRow>> = Object.freeze({ ...kinds })

/** Returns whether the handler of a step kind returns the result itself, in the shape of the option `outputSchema`. */
export function isShapedByOption(kind: StepKind): boolean {
  return isOfClass(stepKinds[kind].type, 'data')
}

/**
 * The steps that a workflow function can start. Each takes an id, a handler and options, and returns a promise of the
 * step's result, or of its outcome if `onFailure` is `return`.
 *
 * `TOnFailure` is the option `onFailure` of the workflow.
 */
export interface Step<TPayload = Readonly<Record<string, unknown>>, in out TOnFailure extends OnFailure = 'fail'> {
  /**
   * Sends an email.
   *
   * @example
   * await step.email('mail', () => ({ subject: 'Shipped', body: '<p>On its way.</p>' }))
   */
  readonly email: ChannelStep<TOnFailure, 'email', EmailOutput>
  /**
   * Sends a text message.
   *
   * @example
   * await step.sms('text', () => ({ body: `Your code is ${payload.code}` }))
   */
  readonly sms: ChannelStep<TOnFailure, 'sms', TextOutput>
  /**
   * Sends a push message.
   *
   * @example
   * await step.push('push', () => ({ subject: 'Shipped', body: 'On its way.' }))
   */
  readonly push: ChannelStep<TOnFailure, 'push', PushOutput>
  /**
   * Sends a chat message: text, a card, or both.
   *
   * @example
   * await step.chat('chat', () => ({ body: 'On its way.' }))
   */
  readonly chat: ChannelStep<TOnFailure, 'chat', ChatOutput>
  /**
   * Sends a message to the recipient's inbox. Its result contains whether it was seen and read.
   *
   * @example
   * const inbox = await step.inApp('inbox', () => ({ body: 'On its way.' }))
   * await step.sms('text', () => ({ body: 'On its way.' }), { skip: () => inbox.read })
   */
  readonly inApp: ChannelStep<TOnFailure, 'inApp', InAppOutput, ResultOf<InAppResult>>
  /**
   * Calls an operations tool, such as one for incidents.
   *
   * @example
   * await step.tool('page', () => ({ body: 'The queue is full.' }))
   */
  readonly tool: ChannelStep<TOnFailure, 'tool', TextOutput>
  /**
   * Collects triggers during a time window. Its result contains their payloads; one run continues for all of them.
   *
   * @example
   * const { events } = await step.digest('collect', () => ({ amount: 10, unit: 'minutes' }))
   */
  readonly digest: TimingStep<TOnFailure, DigestOutput, DigestResult<TPayload>>
  /**
   * Waits for a duration or until a point in time.
   *
   * @example
   * await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
   */
  readonly delay: TimingStep<TOnFailure, DelayOutput, DelayResult>
  /**
   * Waits for an event that is emitted through the API or with `emitEvent`, or for its timeout.
   *
   * @example
   * const { received } = await step.waitForEvent('acknowledged', () => ({
   *   event: 'incident.acknowledged',
   *   match: { incidentId: payload.id },
   *   timeout: { amount: 15, unit: 'minutes' },
   * }))
   */
  readonly waitForEvent: EventStep<TOnFailure>
  /**
   * Limits how often runs continue: runs that exceed the threshold end at this step.
   *
   * @example
   * await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }))
   */
  readonly throttle: TimingStep<TOnFailure, ThrottleOutput, ThrottleResult>
  /**
   * Triggers a workflow for up to 100 recipients, once per run. With `await: true` it waits until their runs have ended.
   *
   * @example
   * const { status } = await step.trigger(
   *   'invoice',
   *   () => ({ workflow: sendInvoice, to: payload.customerId, payload: { orderId: payload.id } }),
   *   { await: true },
   * )
   */
  readonly trigger: TriggerStep<TOnFailure>
  /**
   * Runs app code once. The handler's output is stored, and becomes the result in all later calls.
   *
   * @example
   * const order = await step.custom('load', async () => await database.order(payload.id))
   */
  readonly custom: CustomStep<TOnFailure>
  /**
   * Calls another service once. The handler's output is stored, as for `custom`.
   *
   * @example
   * const rates = await step.httpRequest('rates', async () => (await fetch(url)).json())
   */
  readonly httpRequest: CustomStep<TOnFailure>
}
