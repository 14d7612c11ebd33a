import { toPlainText } from '@trestle/html/plain-text'
import { isObject, type JsonObject } from '@trestle/protocol'
import type { Problem } from '../../engine/port/channel-port.ts'
import { compact, mergeObjects, readText } from '../../json/json.ts'
import type { Draft } from '../base/delivery.ts'
import type { ProviderOverrides } from '../provider/provider-overrides.ts'
import { readAttachments } from './attachments.ts'
import { addPreheader } from './preheader.ts'

/** The input of an email. */
export interface EmailInput {
  /** The translated outputs of the step, with the body wrapped in the layout. */
  readonly outputs: JsonObject
  /** The recipient's email address. */
  readonly address: string | null | undefined
  /** The integration's sender and reply address; empty without a delivering integration. */
  readonly sender: { readonly from?: string; readonly senderName?: string; readonly replyTo?: string }
  /** The overrides of the message. */
  readonly overrides: ProviderOverrides
  /** The payload of the trigger. */
  readonly payload: JsonObject
  /**
   * The row id of the message. It is part of the Message-ID, so that receivers can detect an email that was sent twice.
   */
  readonly messageId: string
  /** Whether an integration delivers it, so that it needs a sender. */
  readonly needsSender: boolean
}

/** The domain of Message-IDs if the sender has none. */
const standardDomain = 'trestle.invalid'

/**
 * Returns the email of a step.
 *
 * @param input - The outputs, the recipient, the sender and the overrides.
 */
export function draftEmail(input: EmailInput): Draft {
  const { outputs, overrides, payload } = input
  const html = addPreheader(readText(outputs['body']) ?? '', readText(outputs['preheader']))
  const { attachments: ownFiles, senderName: _senderName, customData: _customData, ...fields } = overrides.fields
  const { files, warnings } = readAttachments(payload['attachments'], isTriggerFiles(ownFiles) ? ownFiles : [])
  const from = toSender(input)
  const base = compact({
    from,
    to: readText(input.address),
    replyTo: useDefaults(outputs) ? input.sender.replyTo : (readText(outputs['replyTo']) ?? input.sender.replyTo),
    subject: outputs['subject'],
    html,
    attachments: [...files, ...(isTriggerFiles(ownFiles) ? [] : toList(ownFiles))],
  })
  // Without own headers, those of the fields stay, which may be a list.
  const headers = Object.keys(overrides.headers).length > 0 ? { headers: overrides.headers } : {}
  const merged = nameSender(mergeObjects(base, fields, headers, overrides.body), overrides)
  const mail: JsonObject = {
    text: toPlainText(readText(merged['html']) ?? ''),
    messageId: toMessageId(input, merged),
    ...merged,
  }
  const recipient = showAddresses(mail['to'])
  const problem = findProblem(mail, recipient, input)
  return {
    columns: {
      subject: readText(merged['subject']) ?? null,
      content: JSON.stringify(merged['html'] ?? ''),
      email: recipient === '' ? null : recipient,
    },
    recipient,
    outgoing: { kind: 'mail', mail },
    ...(problem ? { problem } : {}),
    warnings,
  }
}

function useDefaults(outputs: JsonObject): boolean {
  return outputs['useProviderDefaults'] === true
}

function toSender({ outputs, sender, overrides }: EmailInput): JsonObject | undefined {
  const given = isObject(outputs['from']) && !useDefaults(outputs) ? outputs['from'] : {}
  const address = readText(given['email']) ?? sender.from
  const name = readText(overrides.fields['senderName']) ?? readText(given['name']) ?? sender.senderName
  return address === undefined ? undefined : compact({ name: name ?? '', address })
}

/** Applies an override of the sender name, regardless of where the address comes from. */
function nameSender(mail: JsonObject, { fields }: ProviderOverrides): JsonObject {
  const name = readText(fields['senderName'])
  if (name === undefined) return mail
  const given = isObject(mail['from']) ? mail['from'] : { address: mail['from'] }
  if (given['name'] || !plainAddress.test(readText(given['address']) ?? '')) return mail
  return { ...mail, from: { name, address: given['address'] } }
}

function toMessageId({ messageId, sender }: EmailInput, mail: JsonObject): string {
  const from = isObject(mail['from']) ? mail['from']['address'] : (mail['from'] ?? sender.from)
  const domain = /@([A-Za-z0-9.-]{1,253})>?\s*$/.exec(readText(from) ?? '')?.[1] ?? standardDomain
  return `<${messageId}@${domain}>`
}

/** Matches exactly one address: a list, a name or a line break could send the email elsewhere. */
const plainAddress = /^[^\s<>()[\],;:"\\@]+@[^\s<>()[\],;:"\\@]+$/

function findProblem(mail: JsonObject, recipient: string, { address, needsSender }: EmailInput): Problem | undefined {
  if (recipient === '') {
    const message = 'The subscriber has no email address. Store one, or set the override "to".'
    return { code: 'subscriber_email_missing', message, status: 'warning' }
  }
  if (mail['to'] === address && !plainAddress.test(recipient)) {
    const message = 'The email address of the subscriber is invalid. Correct it in the subscriber.'
    return { code: 'subscriber_email_invalid', message, status: 'warning' }
  }
  if (needsSender && mail['from'] === undefined) {
    const message =
      'The email has no sender. Set "from" in the credentials of the integration, or return it in the step.'
    return { code: 'sender_missing', message, status: 'error' }
  }
  return undefined
}

/** Returns whether a value contains trigger files, `{ file, name }`, rather than attachments in Nodemailer's format. */
function isTriggerFiles(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && 'file' in item)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function showAddresses(value: unknown): string {
  return [value]
    .flat(2)
    .map((item) => (isObject(item) ? readText(item['address']) : readText(item)))
    .filter((item) => item !== undefined)
    .join(', ')
}
