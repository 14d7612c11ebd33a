/** A body as received by the framework. */
export interface ReceivedBody {
  readonly bytes: Uint8Array
  /**
   * Whether these are the bytes as received. False if a web framework has parsed them and only the parsed object is
   * left.
   */
  readonly exact: boolean
}

/** An HTTP request, as an adapter passes it to the framework. Plain data. */
export interface BridgeCall {
  /** The HTTP method, uppercase. */
  readonly method: string
  /** The request's URL or path; only its query is used, never its host. */
  readonly url: string
  /**
   * Returns a header's value, or `undefined` if it was not sent.
   *
   * @param name - The header name, in lowercase.
   */
  header(name: string): string | null | undefined
  /**
   * Reads the body, once.
   *
   * @param maxBytes - The size limit.
   * @throws CodedError - `PayloadTooLarge`, as soon as the limit is exceeded.
   */
  readBody(maxBytes: number): ReceivedBody | Promise<ReceivedBody>
  /** How to keep the raw body in this web framework; appended to the error message if only a parsed object was left. */
  readonly rawBodyHint?: string | undefined
  /** Keeps the runtime awake until background work is done, if the platform needs it. */
  readonly waitUntil?: ((work: Promise<unknown>) => unknown) | undefined
  /** Variables passed with the call, such as `env` on Cloudflare Workers; they override the process's variables. */
  readonly env?: unknown
}

/** The response to a call. Plain data. */
export interface BridgeReply {
  /** The HTTP status. */
  readonly status: number
  /** The headers, names in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, always JSON. */
  readonly body: string
}
