/** The target of calls to the bridge of an environment. */
export interface BridgeTarget {
  /** The environment's id. */
  readonly environmentId: string
  /** Its name, such as `Development`. */
  readonly name: string
  /** The kind of environment; reaches the bridge as `env.type`. */
  readonly type: 'dev' | 'prod'
  /** Signs the calls. */
  readonly secretKey: string
  /** Where the bridge is; `null` where none is stored. */
  readonly bridgeUrl: string | null
  /** The environment's variables by key, secrets in plain text. */
  readonly variables: Readonly<Record<string, string>>
  /** The keys of the secret ones. */
  readonly secretKeys: readonly string[]
  /** Texts that must never be shown: the values of secret variables. */
  readonly secrets: readonly string[]
}
