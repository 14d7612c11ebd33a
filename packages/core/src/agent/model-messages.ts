import type { AgentAttachment, AgentHistoryEntry } from '@trestle/protocol'

/** A message of a conversation as a model reads it. */
export interface ModelTextMessage {
  /** The author of the message. */
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The parts of an event's message that a model reads. */
export interface ReadMessage {
  /** The text of the message. */
  readonly text: string
  /** The attached files. @default none */
  readonly attachments?: readonly AgentAttachment[] | undefined
}

/**
 * Converts the messages of a conversation to model messages. Service messages and empty earlier messages are left out,
 * so that text from an event never becomes an instruction. The names of the current message's files are appended to its
 * text.
 *
 * @param history - Earlier messages.
 * @param message - The message of the event.
 * @example
 * const messages = toModelMessages(context.history, context.message)
 */
export function toModelMessages(history: readonly AgentHistoryEntry[], message?: ReadMessage): ModelTextMessage[] {
  const all = [...history, ...(message ? [{ role: 'user' as const, text: toText(message) }] : [])]
  return all.flatMap(({ role, text }) =>
    role === 'system' || text.trim() === '' ? [] : [{ role: role === 'agent' ? 'assistant' : 'user', content: text }],
  )
}

/** Returns text that is never empty, because models reject calls without a message. */
function toText({ text, attachments = [] }: ReadMessage): string {
  const names = attachments.map(({ name, mimeType }) => name || mimeType || 'a file without a name')
  const files = names.length === 0 ? '' : `(attached: ${names.join(', ')})`
  const said = [text, files].filter((part) => part.trim() !== '')
  return said.length === 0 ? '(a message without text)' : said.join('\n\n')
}
