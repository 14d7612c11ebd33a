/** How a change of a contract affects those who use it. */
export type ChangeKind = 'breaking' | 'notice' | 'safe'

/** A change of a contract. */
export interface Change {
  /** What it does to callers, stored values and runs under way. */
  readonly kind: ChangeKind
  /** The workflow; absent for agents. */
  readonly workflowId?: string
  /** The step, where it is about one. */
  readonly stepId?: string
  /** The place in the contract, such as `payload/items/id`. */
  readonly path: string
  /** What has changed, and what it leads to. */
  readonly message: string
}
