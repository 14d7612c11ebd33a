/** The target of bridge calls of an environment. */
export interface BridgeTarget {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Its name, such as `Development`. */
  readonly name: string
  /** The type of environment; the bridge receives it as `env.type`. */
  readonly type: 'dev' | 'prod'
  /** Signs the calls. */
  readonly secretKey: string
  /** The URL of the bridge; `null` if none is stored. */
  readonly bridgeUrl: string | null
  /** Environment variables by key, with decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>
  /** The keys of secret variables. */
  readonly secretKeys: readonly string[]
  /** The values of secret variables, which must never be shown. */
  readonly secrets: readonly string[]
}
