/** The fields that are used from the events of all callers; the types of `@types/aws-lambda` are assignable. */
export interface LambdaEvent {
  /** The method, from a REST API or a load balancer. */
  readonly httpMethod?: string | undefined
  /** The path, in the same kinds of events. */
  readonly path?: string | undefined
  /** The query in the same kinds of events, with the last value of each name. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The query in the same kinds of events, with all values. */
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The path, from an HTTP API or a function URL. */
  readonly rawPath?: string | undefined
  /** The raw query, in the same kinds of events. */
  readonly rawQueryString?: string | undefined
  /** The headers, with names in their original case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The headers with all values, from a REST API or a load balancer with multi-value headers. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The body, as plain text or Base64. */
  readonly body?: string | null | undefined
  /** Whether the body is Base64. */
  readonly isBase64Encoded?: boolean | undefined
  /** Identifies the caller. */
  readonly requestContext?:
    | {
        /** The method, from an HTTP API or a function URL. */
        readonly http?: { readonly method?: string | undefined } | undefined
        /** Only set by a load balancer, which leaves the query encoded. */
        readonly elb?: unknown
        /** Set by all other callers; not used. */
        readonly accountId?: unknown
      }
    | undefined
}
