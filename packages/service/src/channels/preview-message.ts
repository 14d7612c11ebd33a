import { isObject, type JsonObject } from '@trestle/protocol'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'
import { RenderLimitError } from '../templates/render-budget.ts'
import type { Delivery } from './base/delivery.ts'
import { draftMessage } from './draft-message.ts'
import { findDestinations } from './provider/destinations.ts'
import { translateDelivery, unmark } from './translate-delivery.ts'

/** A message as it would be sent, without storing it. */
export interface PreviewedMessage {
  /** The bridge's translated outputs. */
  readonly outputs: JsonObject
  /** The bridge's translated overrides. */
  readonly providers: JsonObject
  /** The email with its layout, text part, sender and recipient; `null` for other channels. */
  readonly mail: JsonObject | null
  /** Human-readable warnings about its creation. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/**
 * Returns the message of a step as a real send would create it, without storing or sending it.
 *
 * @param db - The database, for layouts, translations and integrations.
 * @param vault - Decrypts the credentials of integrations, which contain senders.
 */
export async function previewMessage(db: Session, delivery: Delivery, vault: Vault): Promise<PreviewedMessage> {
  try {
    const { delivery: translated, missing, problem } = await translateDelivery(db, delivery)
    const { outputs, providers } = translated
    const texts = [
      ...missing.map((key) => toWarning('TranslationMissing', `No locale has a translation of "${key}".`)),
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
  // Previewed as an email, regardless of the provider.
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
