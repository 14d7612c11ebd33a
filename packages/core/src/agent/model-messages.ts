import type { AgentHistoryEntry } from '@trestle/protocol'

/** A message of a conversation as a model reads it. */
export interface ModelTextMessage {
  /** Who wrote it. */
  readonly role: 'user' | 'assistant'
  /** The text. */
  readonly content: string
}

/**
 * Returns the messages of a conversation as a model reads them. Those of the service itself, and those without a text,
 * are left out: a text that came with an event must not become an instruction of yours.
 *
 * @param history - Earlier messages.
 * @param message - The message of the event.
 * @example
 * const messages = toModelMessages(context.history, context.message)
 */
export function toModelMessages(
  history: readonly AgentHistoryEntry[],
  message?: { readonly text: string },
): ModelTextMessage[] {
  const all = [...history, ...(message ? [{ role: 'user' as const, text: message.text }] : [])]
  return all.flatMap(({ role, text }) =>
    role === 'system' || text.trim() === '' ? [] : [{ role: role === 'agent' ? 'assistant' : 'user', content: text }],
  )
}
