import { isOfClass, type StepName } from '@trestle/protocol'
import type { TimingStep } from '../kinds/signature.ts'
import type { CallOf, StepKindRow } from '../kinds/step-kind.ts'
import type { DigestOutput, DigestResult } from '../kinds/timing/digest.ts'
import * as kinds from './kinds.ts'

type Kinds = typeof kinds

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
 * step's result.
 */
export interface Step<TPayload = Readonly<Record<string, unknown>>> {
  /**
   * Sends an email.
   *
   * @example
   * await step.email('mail', () => ({ subject: 'Shipped', body: '<p>On its way.</p>' }))
   */
  readonly email: CallOf<Kinds['email']>
  /**
   * Sends a text message.
   *
   * @example
   * await step.sms('text', () => ({ body: `Your code is ${payload.code}` }))
   */
  readonly sms: CallOf<Kinds['sms']>
  /**
   * Sends a push message.
   *
   * @example
   * await step.push('push', () => ({ subject: 'Shipped', body: 'On its way.' }))
   */
  readonly push: CallOf<Kinds['push']>
  /**
   * Sends a chat message: text, a card, or both.
   *
   * @example
   * await step.chat('chat', () => ({ body: 'On its way.' }))
   */
  readonly chat: CallOf<Kinds['chat']>
  /**
   * Sends a message to the recipient's inbox. Its result contains whether it was seen and read.
   *
   * @example
   * const inbox = await step.inApp('inbox', () => ({ body: 'On its way.' }))
   * await step.sms('text', () => ({ body: 'On its way.' }), { skip: () => inbox.read })
   */
  readonly inApp: CallOf<Kinds['inApp']>
  /**
   * Calls an operations tool, such as one for incidents.
   *
   * @example
   * await step.tool('page', () => ({ body: 'The queue is full.' }))
   */
  readonly tool: CallOf<Kinds['tool']>
  /**
   * Collects triggers during a time window. Its result contains their payloads; one run continues for all of them.
   *
   * @example
   * const { events } = await step.digest('collect', () => ({ amount: 10, unit: 'minutes' }))
   */
  readonly digest: TimingStep<DigestOutput, DigestResult<TPayload>>
  /**
   * Waits for a duration or until a point in time.
   *
   * @example
   * await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
   */
  readonly delay: CallOf<Kinds['delay']>
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
  readonly waitForEvent: CallOf<Kinds['waitForEvent']>
  /**
   * Limits how often runs continue: runs that exceed the threshold end at this step.
   *
   * @example
   * await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }))
   */
  readonly throttle: CallOf<Kinds['throttle']>
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
  readonly trigger: CallOf<Kinds['trigger']>
  /**
   * Runs app code once. The handler's output is stored, and becomes the result in all later calls.
   *
   * @example
   * const order = await step.custom('load', async () => await database.order(payload.id))
   */
  readonly custom: CallOf<Kinds['custom']>
  /**
   * Calls another service once. The handler's output is stored, as for `custom`.
   *
   * @example
   * const rates = await step.httpRequest('rates', async () => (await fetch(url)).json())
   */
  readonly httpRequest: CallOf<Kinds['httpRequest']>
}
