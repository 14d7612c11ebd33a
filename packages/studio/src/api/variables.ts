/** A variable that reaches the bridge as `env`. */
export interface Variable {
  /** Row id. */
  readonly _id: string
  /** What code knows it by. */
  readonly key: string
  /** Whether its value is shown to nobody. */
  readonly isSecret: boolean
  /** Its values; secrets are masked. */
  readonly values: readonly { readonly _environmentId: string; readonly value: string }[]
  /** When it was last changed. */
  readonly updatedAt: string
}
