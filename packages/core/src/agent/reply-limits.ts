/** The bounds of what agents reply. */
export interface ReplyLimits {
  /** Characters of a text, of Markdown, or of the text of a question. */
  readonly text: number
  /** Characters of the value of a question, or of metadata, as JSON. */
  readonly value: number
}

/**
 * The bounds that the service holds replies against. They are held here too, so that the agent is told what is wrong and
 * where.
 *
 * @source Agent protocol, "Replies".
 */
export const replyLimits: ReplyLimits = Object.freeze({
  text: 100_000,
  value: 64 * 1024,
})
