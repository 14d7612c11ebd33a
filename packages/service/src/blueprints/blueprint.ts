/** A workflow template to start from. */
export interface Blueprint {
  readonly id: string
  /** The suggested identifier of the workflow. */
  readonly identifier: string
  readonly name: string
  readonly description: string
  /** The group in which it is listed. */
  readonly group: string
  /** Whether it is listed as popular. */
  readonly isPopular: boolean
  /** Whether subscribers cannot turn the workflow off. */
  readonly critical: boolean
  readonly tags: readonly string[]
  /** JSON Schema of the payload. */
  readonly payloadSchema: Readonly<Record<string, unknown>>
  /** The steps, in order. */
  readonly steps: readonly BlueprintStep[]
}

export interface BlueprintStep {
  readonly stepId: string
  readonly name: string
  readonly type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest'
  readonly controlValues: Readonly<Record<string, unknown>>
}
