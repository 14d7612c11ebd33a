import type { AgentAttachment, AgentHistoryEntry } from '@trestle/protocol'

/** A message of a conversation as a model reads it. */
export interface ModelTextMessage {
  /** Who wrote it. */
  readonly role: 'user' | 'assistant'
  /** The text. */
  readonly content: string
}

/** A message of an event, as far as a model reads it. */
export interface ReadMessage {
  /** What the person wrote. */
  readonly text: string
  /** The files that came with it. @default none */
  readonly attachments?: readonly AgentAttachment[] | undefined
}

/**
 * Returns the messages of a conversation as a model reads them. Those of the service itself, and earlier ones without a
 * text, are left out: a text that came with an event must not become an instruction of yours. The files of the event's
 * message are named behind its text.
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

/** Never empty: models refuse a call without a message. */
function toText({ text, attachments = [] }: ReadMessage): string {
  const names = attachments.map(({ name, mimeType }) => name || mimeType || 'a file without a name')
  const files = names.length === 0 ? '' : `(attached: ${names.join(', ')})`
  const said = [text, files].filter((part) => part.trim() !== '')
  return said.length === 0 ? '(a message without text)' : said.join('\n\n')
}
