/** The size limits of agent replies. */
export interface ReplyLimits {
  /** Characters of a text, of Markdown, or of a question. */
  readonly text: number
  /** Characters of a card as JSON. */
  readonly card: number
  /** Characters of the value of a question, or of metadata, as JSON. */
  readonly value: number
  /** Characters of an id, a file name, a media type, a metadata key or a button label. */
  readonly id: number
  /** Characters of the value or the label of an option. */
  readonly option: number
  readonly options: number
  /** Characters of the summary of a conversation. */
  readonly summary: number
  /** Characters of an emoji or its name. */
  readonly emoji: number
  readonly files: number
  /** Bytes of the files of a message. */
  readonly fileBytes: number
  /** Characters of the address of a file. */
  readonly url: number
}

/**
 * The service's size limits. Checking them here gives the agent an error that names the field.
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
