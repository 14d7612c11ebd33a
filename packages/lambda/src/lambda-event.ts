/** The used part of an event of any caller; the types of `@types/aws-lambda` are assignable. */
export interface LambdaEvent {
  /** The method, of a REST API and of a load balancer. */
  readonly httpMethod?: string | undefined
  /** The path, in the same events. */
  readonly path?: string | undefined
  /** The query in the same events, with the last value of each name. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The query in the same events, with all values. */
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The path, of an HTTP API and of a function URL. */
  readonly rawPath?: string | undefined
  /** The raw query, in the same events. */
  readonly rawQueryString?: string | undefined
  /** The headers, in the case they were sent in. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The headers with all values, of a REST API or a load balancer with multi-value headers. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The body, plain or in base64. */
  readonly body?: string | null | undefined
  /** Whether the body is in base64. */
  readonly isBase64Encoded?: boolean | undefined
  /** Identifies the caller. */
  readonly requestContext?:
    | {
        /** The method, of an HTTP API and of a function URL. */
        readonly http?: { readonly method?: string | undefined } | undefined
        /** Only present for a load balancer, which leaves the query encoded. */
        readonly elb?: unknown
        /** Present for all other callers; not used. */
        readonly accountId?: unknown
      }
    | undefined
}
