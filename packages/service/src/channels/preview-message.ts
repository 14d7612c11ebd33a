import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../json/json.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'
import { RenderLimitError } from '../templates/render-budget.ts'
import type { Delivery } from './base/delivery.ts'
import { draftMessage } from './draft-message.ts'
import { findDestinations } from './provider/destinations.ts'
import { translateDelivery, unmark } from './translate-delivery.ts'

/** A message as it would be sent, which is not stored. */
export interface PreviewedMessage {
  /** What the bridge returned, translated. */
  readonly outputs: JsonObject
  /** The overrides the bridge returned, translated. */
  readonly providers: JsonObject
  /** The mail with its layout, its text part, sender and recipient; `null` for other channels. */
  readonly mail: JsonObject | null
  /** What a person should know about how it was made. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/**
 * Returns the message of a step as a real send would make it, without storing or sending it.
 *
 * @param db - Layouts, translations and integrations are read in it.
 * @param delivery - The message.
 * @param vault - Opens the credentials of integrations, which name senders.
 */
export async function previewMessage(db: Session, delivery: Delivery, vault: Vault): Promise<PreviewedMessage> {
  try {
    const { delivery: translated, missing, problem } = await translateDelivery(db, delivery)
    const { outputs, providers } = translated
    const texts = [
      ...missing.map((key) => toWarning('TranslationMissing', `No locale has a text for "${key}".`)),
      ...(problem ? [toWarning(problem.code, problem.message)] : []),
    ]
    if (delivery.job.type !== 'email') return { outputs, providers, mail: null, warnings: texts }
    const { mail, warnings } = await draftMail(db, translated, vault)
    return { outputs, providers, mail, warnings: [...texts, ...warnings] }
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error
    const { outputs, providers } = unmark(delivery)
    return { outputs, providers, mail: null, warnings: [toWarning('content_too_long', error.message)] }
  }
}

async function draftMail(
  db: Session,
  delivery: Delivery,
  vault: Vault,
): Promise<Pick<PreviewedMessage, 'mail' | 'warnings'>> {
  const [destination] = await findDestinations(db, delivery, vault)
  if (!destination) return { mail: null, warnings: [] }
  // As a mail, whatever delivers it.
  const draft = await draftMessage(db, {
    delivery,
    destination: { ...destination, sender: 'none' },
    messageId: 'preview',
  })
  const { problem, warnings } = draft
  const mail = draft.outgoing?.kind === 'mail' && isObject(draft.outgoing.mail) ? draft.outgoing.mail : null
  return {
    mail,
    warnings: [
      ...warnings.map((message) => toWarning('MailChanged', message)),
      ...(problem ? [toWarning(problem.code, problem.message)] : []),
    ],
  }
}

const toWarning = (code: string, message: string): { readonly code: string; readonly message: string } => ({
  code,
  message,
})
