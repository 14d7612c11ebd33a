/** Follows the reading of a body. */
export interface BodyWatch {
  /** Stops reading; the promise rejects with its reason. */
  readonly signal: AbortSignal
  /** Called with the number of bytes received and kept. */
  onBytes(count: number): void
}

/** A request as plain data. */
export interface HttpCall {
  /** The method, as sent. */
  readonly method: string
  /** The path and query, as sent. */
  readonly url: string
  /** Returns a header; repeated values are joined with commas. */
  header(name: string): string | undefined
  /**
   * Returns the bytes of the body.
   *
   * @param maxBytes - The maximum size, in bytes.
   * @param watch - Follows the reading, and can stop it.
   * @throws {ApiError} 413 if the body is larger.
   */
  readBody(maxBytes: number, watch?: BodyWatch): Promise<Uint8Array>
  /** The remote address of the connection, which can be a proxy. Empty if the connection was closed. */
  readonly remoteAddress: string
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/** A response as plain data. */
export interface HttpReply {
  readonly status: number
  /** The headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: none, text, bytes, or a stream of text. */
  readonly body: string | Uint8Array | AsyncIterable<string> | undefined
  /** The body to replay for a repeated call, if it differs from the sent one. */
  readonly replayBody?: string
}
