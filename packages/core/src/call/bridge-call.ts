/** A body as it reached the framework. */
export interface ReceivedBody {
  /** The bytes. */
  readonly bytes: Uint8Array
  /**
   * Whether these are the bytes as received. False when a web framework had parsed them already and only the object
   * was left to print again.
   */
  readonly exact: boolean
}

/** One HTTP request, as an adapter hands it to the framework. Plain data. */
export interface BridgeCall {
  /** The HTTP method, uppercase. */
  readonly method: string
  /** The request's URL or path; only its query is used, never its host. */
  readonly url: string
  /**
   * Returns a header's value, or `undefined` when it was not sent.
   *
   * @param name - In small letters.
   */
  header(name: string): string | null | undefined
  /**
   * Reads the body, once.
   *
   * @param maxBytes - Where to stop.
   * @throws CodedError - `PayloadTooLarge`, as soon as there is more.
   */
  readBody(maxBytes: number): ReceivedBody | Promise<ReceivedBody>
  /** How to keep the raw body in this web framework; ends the message when only a parsed object was left. */
  readonly rawBodyHint?: string | undefined
  /** Keeps the runtime awake until work in the background is done, where the platform asks for it. */
  readonly waitUntil?: ((work: Promise<unknown>) => unknown) | undefined
  /** Variables that came with the call, such as `env` of Cloudflare Workers; they come before those of the process. */
  readonly env?: unknown
}

/** The answer to a call. Plain data. */
export interface BridgeReply {
  /** The HTTP status. */
  readonly status: number
  /** The headers, names in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, always JSON. */
  readonly body: string
}
