import type { Card } from '../workflow/cards/card.ts'

/** A file attached to a reply. The files of a reply are limited to 5 MiB in total. */
export type ReplyFile =
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type, for example `application/pdf`. */
      readonly mimeType?: string | undefined
      readonly bytes: Uint8Array
    }
  | {
      /** Its file name. */
      readonly name: string
      /** Its media type, for example `application/pdf`. */
      readonly mimeType?: string | undefined
      /** The URL that the service fetches it from. */
      readonly url: string
    }

/** The content of a message: at least one of these fields. */
export interface ReplyContent {
  /** Plain text of at most 100,000 characters. */
  readonly text?: string | undefined
  /** Markdown of at most 100,000 characters. */
  readonly markdown?: string | undefined
  /** A card, created with the builders or as plain data. */
  readonly card?: Card | undefined
  /** At most ten files. */
  readonly files?: readonly ReplyFile[] | undefined
}

/** A reply: plain text, content, or a stream of text from a model. */
export type Reply = string | ReplyContent | AsyncIterable<string>

/** The format of a text or a text stream. */
export interface ReplyOptions {
  /** The format of the text. @default 'text' for a string, 'markdown' for a stream */
  readonly format?: 'markdown' | 'text' | undefined
}

/** A message sent by the agent. */
export interface SentMessage {
  /** The service's id for the message; `undefined` if the service returned none. */
  readonly messageId: string | undefined
  /**
   * Replaces the message's content.
   *
   * @param content - The new content.
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The content is invalid, or the message has no id.
   */
  edit(content: string | ReplyContent): Promise<void>
  /**
   * @throws CodedError - `ApiRequestFailedError`.
   * @throws TypeError - The message has no id.
   */
  delete(): Promise<void>
}

/** A question asked by the agent. */
export interface SentQuestion extends SentMessage {
  /** The id of the question, which its answer contains. */
  readonly questionId: string
}
