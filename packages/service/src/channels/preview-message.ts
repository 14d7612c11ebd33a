import { isObject, type JsonObject } from '@trestle/protocol'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'
import type { TextDrafts } from '../translations/read-texts.ts'
import type { Delivery } from './base/delivery.ts'
import { createContent } from './content/create-content.ts'
import { withContent } from './content/with-content.ts'
import { draftMessage } from './draft-message.ts'
import { findDestinations } from './provider/destinations.ts'

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
 * @param options - The vault of the integrations, which contain senders, and unsaved translations of the workflow.
 */
export async function previewMessage(
  db: Session,
  delivery: Delivery,
  { vault, drafts }: { readonly vault: Vault; readonly drafts?: TextDrafts | undefined },
): Promise<PreviewedMessage> {
  const content = await createContent(db, delivery, drafts)
  const { outputs, providers, missing, problem } = content
  const texts = [
    ...missing.map((key) => toWarning('TranslationMissing', `No locale has a translation of "${key}".`)),
    ...(problem ? [toWarning(problem.code, problem.message)] : []),
  ]
  if (delivery.job.type !== 'email') return { outputs, providers, mail: null, warnings: texts }
  const { mail, warnings } = await draftMail(db, withContent(delivery, content), vault)
  return { outputs, providers, mail, warnings: [...texts, ...warnings] }
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
