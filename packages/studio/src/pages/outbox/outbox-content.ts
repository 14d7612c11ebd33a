import type { OutboxItem } from '../../api/generated/resources.ts'
import { listOf, type Outputs, objectOf, textOf } from '../../preview/outputs.ts'

/** The input of channel previews for an outbox item. */
export interface OutboxPreview {
  /** The outputs of the item's step. */
  readonly outputs: Outputs
  /** The rendered email, if the item is one. */
  readonly mail?: Outputs
}

/** Converts an item to the input of channel previews. */
export function toPreview({ channel, content }: OutboxItem): OutboxPreview {
  switch (channel) {
    case 'email':
      return { outputs: { subject: content['subject'], body: content['html'] }, mail: toMail(content) }
    case 'sms':
      return { outputs: { body: content['content'] } }
    case 'push':
      return { outputs: { subject: content['title'], body: content['content'] } }
    case 'chat':
      return { outputs: { body: content['text'] ?? content['content'], card: content['card'] } }
    default:
      return { outputs: content }
  }
}

/** Returns the list entry for an item. */
export function summaryOf({ channel, content }: OutboxItem): string {
  const names = channel === 'email' ? ['subject'] : ['title', 'content', 'text']
  return names.map((name) => textOf(content, name)).find((text) => text !== undefined) ?? 'No text'
}

/** Returns the names of an email's attachments. */
export function attachmentsOf({ content }: OutboxItem): readonly string[] {
  return listOf(content, 'attachments').map((file) => textOf(file, 'filename') ?? 'attachment')
}

function toMail(content: Outputs): Outputs {
  const addresses = ['from', 'to', 'cc', 'bcc', 'replyTo'].map((name) => [name, toAddress(content[name])])
  return { ...content, ...Object.fromEntries(addresses) }
}

function toAddress(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(toAddress).join(', ')
  const address = textOf(value, 'address')
  if (address === undefined) return objectOf({ value }, 'value') && textOf(value, 'name')
  const name = textOf(value, 'name')
  return name === undefined ? address : `${name} <${address}>`
}
