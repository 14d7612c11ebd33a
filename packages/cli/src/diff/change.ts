/** How a contract change affects its users. */
export type ChangeKind = 'breaking' | 'notice' | 'safe'

/** A change to a contract. */
export interface Change {
  /** The effect on callers, saved values and active runs. */
  readonly kind: ChangeKind
  /** The workflow; absent for agents. */
  readonly workflowId?: string
  /** The step, if the change concerns one. */
  readonly stepId?: string
  /** The path in the contract, such as `payload/items/id`. */
  readonly path: string
  /** The change and its consequence. */
  readonly message: string
}
