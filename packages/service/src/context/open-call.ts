import type { ServiceContext } from './service-context.ts'

/** A call that carries no key, before its input is checked. */
export interface OpenCallInput {
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  /** The parameters of the query. */
  readonly query: URLSearchParams
  /** Returns a header. */
  readonly header: (name: string) => string | undefined
}

/** How a call without a key proves which environment it is for. Nothing is charged to an environment before that. */
export interface OpenCall {
  /**
   * Refuses a call that cannot be proved, whatever its body is; called before a byte of the body is read.
   *
   * @throws {ApiError}
   */
  admit?(context: ServiceContext, call: OpenCallInput): Promise<void>
  /**
   * Returns the row id of the environment that the call is for.
   *
   * @throws {ApiError} The call proves nothing.
   */
  prove(context: ServiceContext, call: OpenCallInput & { readonly body: Uint8Array }): Promise<string>
}
