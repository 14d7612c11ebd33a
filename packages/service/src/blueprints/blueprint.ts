/** A workflow to start from. */
export interface Blueprint {
  /** Identifies it. */
  readonly id: string
  /** The identifier its workflow is proposed with. */
  readonly identifier: string
  /** Its name. */
  readonly name: string
  /** Its purpose. */
  readonly description: string
  /** The group it is shown in. */
  readonly group: string
  /** Whether it is shown among the popular ones. */
  readonly isPopular: boolean
  /** Whether nobody may switch it off. */
  readonly critical: boolean
  /** Its tags. */
  readonly tags: readonly string[]
  /** JSON Schema of the payload. */
  readonly payloadSchema: Readonly<Record<string, unknown>>
  /** Its steps, in order. */
  readonly steps: readonly BlueprintStep[]
}

/** A step of a blueprint. */
export interface BlueprintStep {
  /** The step's own identifier. */
  readonly stepId: string
  /** Its name. */
  readonly name: string
  /** The kind of step. */
  readonly type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest'
  /** The values of its controls. */
  readonly controlValues: Readonly<Record<string, unknown>>
}
