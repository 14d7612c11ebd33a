/** The target of an environment's bridge calls. */
export interface BridgeTarget {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The environment's name, such as `Development`. */
  readonly name: string
  /** The type of the environment, which the bridge receives as `env.type`. */
  readonly type: 'dev' | 'prod'
  /** The key that signs the calls. */
  readonly secretKey: string
  /** The URL of the bridge; `null` if none is saved. */
  readonly bridgeUrl: string | null
  /** Environment variables by key, with decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>
  /** The keys of secret variables. */
  readonly secretKeys: readonly string[]
  /** The values of secret variables, which must never be shown. */
  readonly secrets: readonly string[]
}
