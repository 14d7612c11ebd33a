/** The size limits of agent replies. */
export interface ReplyLimits {
  /** The maximum length of a text, of Markdown, or of a question, in characters. */
  readonly text: number
  /** The maximum length of a card as JSON, in characters. */
  readonly card: number
  /** The maximum length of a question's value, or of metadata, as JSON, in characters. */
  readonly value: number
  /** The maximum length of an id, a file name, a media type, a metadata key or a button label, in characters. */
  readonly id: number
  /** The maximum length of an option's value or label, in characters. */
  readonly option: number
  readonly options: number
  /** The maximum length of a conversation's summary, in characters. */
  readonly summary: number
  /** The maximum length of an emoji or its name, in characters. */
  readonly emoji: number
  readonly files: number
  /** The maximum total size of a message's files, in bytes. */
  readonly fileBytes: number
  /** The maximum length of a file's URL, in characters. */
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
