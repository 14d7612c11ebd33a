/** The part of an event that is used, of each kind of caller; those of `@types/aws-lambda` fit. */
export interface LambdaEvent {
  /** The method, of a REST API and of a load balancer. */
  readonly httpMethod?: string | undefined
  /** The path, there. */
  readonly path?: string | undefined
  /** The query, there, the last value of each name. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The query, there, all values. */
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The path, of an HTTP API and of a function URL. */
  readonly rawPath?: string | undefined
  /** The query, there, as it was sent. */
  readonly rawQueryString?: string | undefined
  /** The headers, in the case they were sent in. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** The headers with all their values, of a REST API and of a load balancer that was told to send them. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** The body, as text or in base64. */
  readonly body?: string | null | undefined
  /** Whether the body is in base64. */
  readonly isBase64Encoded?: boolean | undefined
  /** Tells the caller. */
  readonly requestContext?:
    | {
        /** The method, of an HTTP API and of a function URL. */
        readonly http?: { readonly method?: string | undefined } | undefined
        /** There only for a load balancer, which leaves the query encoded. */
        readonly elb?: unknown
        /** There for all others; not used. */
        readonly accountId?: unknown
      }
    | undefined
}
