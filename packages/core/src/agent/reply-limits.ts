/** The bounds of what agents reply. */
export interface ReplyLimits {
  /** Characters of a text, of Markdown, or of the text of a question. */
  readonly text: number
  /** Characters of a card as JSON. */
  readonly card: number
  /** Characters of the value of a question, or of metadata, as JSON. */
  readonly value: number
  /** Characters of an id, of the name or media type of a file, of a name in metadata, of what a button says. */
  readonly id: number
  /** Characters of the value or the label of an option. */
  readonly option: number
  /** Options of a question. */
  readonly options: number
  /** Characters of the summary of a conversation. */
  readonly summary: number
  /** Characters of an emoji or its name. */
  readonly emoji: number
  /** Files of a message. */
  readonly files: number
  /** Bytes of the files of a message. */
  readonly fileBytes: number
  /** Characters of the address of a file. */
  readonly url: number
}

/**
 * The bounds that the service holds replies against. They are held here too, so that the agent is told what is wrong and
 * where.
 *
 * @source protocol.md#replies
 */
export const replyLimits: ReplyLimits = Object.freeze({
  text: 100_000,
  card: 100_000,
  value: 64 * 1024,
  id: 255,
  option: 2000,
  options: 100,
  summary: 10_000,
  emoji: 100,
  files: 10,
  fileBytes: 5 * 1024 * 1024,
  url: 2048,
})
