import { toCardText } from '../../channels/chat/card-text.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'

/** Returns a message as plain text: its text, its Markdown, its card as lines, or the names of its files. */
export function toMessageText({
  text,
  markdown,
  card,
  files,
}: Pick<ConversationMessageRow, 'text' | 'markdown' | 'card' | 'files'>): string {
  const said = [text, markdown, card === null ? null : toCardText(JSON.parse(card))].find(
    (part): part is string => part !== null && part !== '',
  )
  if (said !== undefined) return said
  return (JSON.parse(files) as readonly { readonly name: string }[]).map(({ name }) => name).join(', ')
}
