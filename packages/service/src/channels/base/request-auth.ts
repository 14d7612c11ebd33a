/** How a request is authenticated when it is sent, if a fixed header is not sufficient. */
export type RequestAuth = AwsAuth | GoogleAuth | AppleAuth

/** A signature of the request, with AWS Signature Version 4. */
export interface AwsAuth {
  /** Discriminates the kinds. */
  readonly kind: 'aws'
  readonly accessKeyId: string
  readonly secretKey: string
  readonly region: string
  /** The service name used in signatures. */
  readonly service: string
}

/** An access token granted to a Google service account. */
export interface GoogleAuth {
  /** Discriminates the kinds. */
  readonly kind: 'google'
  readonly clientEmail: string
  /** An RSA key, as PEM. */
  readonly privateKey: string
  /** The URL that grants tokens. */
  readonly tokenUrl: string
  readonly scope: string
}

/** A token signed with a key of an Apple developer account. */
export interface AppleAuth {
  /** Discriminates the kinds. */
  readonly kind: 'apple'
  readonly keyId: string
  readonly teamId: string
  /** A P-256 key, as PEM. */
  readonly privateKey: string
}
