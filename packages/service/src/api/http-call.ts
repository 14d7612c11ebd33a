/** A request as plain data. */
export interface HttpCall {
  /** The method, as sent. */
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  /** Returns a header; the values of a repeated one are joined by commas. */
  header(name: string): string | undefined
  /**
   * Returns the body's bytes.
   *
   * @param maxBytes - The most that is read.
   * @throws {ApiError} 413 when there are more.
   */
  readBody(maxBytes: number): Promise<Uint8Array>
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** An answer as plain data. */
export interface HttpReply {
  /** The status. */
  readonly status: number
  /** The headers; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: nothing, a text, bytes, or pieces of text as they come. */
  readonly body: string | Uint8Array | AsyncIterable<string> | undefined
  /** The body as it is kept for a repetition of the call, where that is not the one that is sent now. */
  readonly keptBody?: string
}
