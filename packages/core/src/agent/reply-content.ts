import type { Card } from '../workflow/cards/card.ts'

/** A file of a reply. All files of a reply together hold at most 5 MiB. */
export type ReplyFile =
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type, for example `application/pdf`. */
      readonly mimeType?: string | undefined
      /** Its content. */
      readonly bytes: Uint8Array
    }
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type, for example `application/pdf`. */
      readonly mimeType?: string | undefined
      /** Where the service fetches it. */
      readonly url: string
    }

/** What a message says: at least one of its fields. */
export interface ReplyContent {
  /** Plain text, at most 100 000 characters. */
  readonly text?: string | undefined
  /** Text in Markdown, at most 100 000 characters. */
  readonly markdown?: string | undefined
  /** A card, made with the builders or as plain data. */
  readonly card?: Card | undefined
  /** Files, at most ten. */
  readonly files?: readonly ReplyFile[] | undefined
}

/** What an agent replies: plain text, content, or the parts of a text as a model writes them. */
export type Reply = string | ReplyContent | AsyncIterable<string>

/** How a text is shown, also one that comes in parts. */
export interface ReplyOptions {
  /** What the text is. @default 'text' for a text, 'markdown' for one that comes in parts */
  readonly format?: 'markdown' | 'text' | undefined
}

/** A message the agent sent. */
export interface SentMessage {
  /** The service's id of the message; `undefined` where the service told none. */
  readonly messageId: string | undefined
  /**
   * Replaces its content.
   *
   * @param content - The new content.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content has the wrong form, or the message has no id.
   */
  edit(content: string | ReplyContent): Promise<void>
  /**
   * Deletes it.
   *
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The message has no id.
   */
  delete(): Promise<void>
}

/** A question the agent asked. */
export interface SentQuestion extends SentMessage {
  /** The id of the question, as its answer names it. */
  readonly questionId: string
}
