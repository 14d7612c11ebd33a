import type { ServiceContext } from './service-context.ts'

/** A call without a key, before its input is checked. */
export interface OpenCallInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly header: (name: string) => string | undefined
}

/** What a call without a key has proved. */
export interface Proof {
  /** Row id of its environment. */
  readonly environmentId: string
  /** The subscriber whose rate limit it consumes. @default it consumes the environment's */
  readonly subscriberId?: string
}

/** How a call without a key proves its environment. Until then, it consumes no rate limit of an environment. */
export interface OpenCall {
  /**
   * Rejects a call that cannot be authenticated, regardless of its body. Called before the body is read.
   *
   * @throws {ApiError}
   */
  admit?(context: ServiceContext, call: OpenCallInput): Promise<void>
  /**
   * Returns whose call it is.
   *
   * @throws {ApiError} The proof is missing or invalid.
   */
  prove(context: ServiceContext, call: OpenCallInput & { readonly body: Uint8Array }): Promise<Proof>
}
