/** The answer to the deletion of a resource. */
export interface Deletion {
  /** Whether it was deleted. */
  readonly acknowledged: boolean
  /** `deleted`. */
  readonly status: 'deleted'
}

/** The answer to the deletion of a topic. */
export interface TopicDeletion {
  /** Whether it was deleted. */
  readonly acknowledged: boolean
}
