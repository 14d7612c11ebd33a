/** The size limits of agent replies. */
export interface ReplyLimits {
  /** Maximum characters of a text, of Markdown, or of a question. */
  readonly text: number
  /** Maximum characters of a card as JSON. */
  readonly card: number
  /** Maximum characters of a question's value, or of metadata, as JSON. */
  readonly value: number
  /** Maximum characters of an id, a file name, a media type, a metadata key or a button label. */
  readonly id: number
  /** Maximum characters of an option's value or label. */
  readonly option: number
  readonly options: number
  /** Maximum characters of a conversation's summary. */
  readonly summary: number
  /** Maximum characters of an emoji or its name. */
  readonly emoji: number
  readonly files: number
  /** Maximum total bytes of a message's files. */
  readonly fileBytes: number
  /** Maximum characters of a file's URL. */
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
