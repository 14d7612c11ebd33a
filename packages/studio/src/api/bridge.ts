/** A JSON Schema, as discovery found it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A step, as discovery found it. */
export interface StepManifest {
  /** Identifier within its workflow. */
  readonly stepId: string
  /** Kind of the step, such as `email`. */
  readonly type: string
  /** Whether discovery saw that the step does not always run. */
  readonly conditional?: boolean
  /** Steps with one number run side by side. */
  readonly parallelGroup?: number | string
  /** Values an editor may change, with the schema. */
  readonly controls?: { readonly schema?: JsonSchema }
  /** What the step's resolver returns. */
  readonly outputs?: { readonly schema?: JsonSchema }
  /** What later steps see of it. */
  readonly results?: { readonly schema?: JsonSchema }
}

/** What discovery says about one thing that could be better. */
export interface Warning {
  /** Stable code. */
  readonly code?: string
  /** What was found, and what to do. */
  readonly message: string
  /** The step it stands at. */
  readonly stepId?: string
}

/** A workflow, as discovery found it. */
export interface WorkflowManifest {
  /** Identifier in the environment. */
  readonly workflowId: string
  /** Name for people. */
  readonly name?: string
  /** What the workflow is for. */
  readonly description?: string
  /** Its steps in their order. */
  readonly steps: readonly StepManifest[]
  /** What a trigger has to bring. */
  readonly payload?: { readonly schema?: JsonSchema }
  /** Whether and where it is sent unless someone chose otherwise. */
  readonly preferences?: Readonly<Record<string, unknown>>
  /** Words to group workflows by. */
  readonly tags?: readonly string[]
  /** How much it matters to the recipient. */
  readonly severity?: string
  /** What discovery says about it. */
  readonly warnings?: readonly (Warning | string)[]
}

/** Something that is wrong and keeps a workflow or step from its work. */
export interface Problem {
  /** The workflow it stands at. */
  readonly workflowId?: string
  /** The step it stands at. */
  readonly stepId?: string
  /** Stable code, which has a page. */
  readonly code: string
  /** What is wrong. */
  readonly message: string
}

/** What the service knows of the environment's bridge. */
export interface BridgeState {
  /** Address of the bridge, where one was synced. */
  readonly url: string | null
  /** Whether it answered. */
  readonly status: 'ok' | 'unreachable' | 'refused' | 'never-synced'
  /** The last sync. */
  readonly lastSync: {
    /** When it was, or null before the first. */
    readonly at: string | null
    /** Why it failed. */
    readonly error: null | { readonly code: string; readonly message: string; readonly data?: unknown }
  } | null
  /** What discovery found. */
  readonly workflows: readonly WorkflowManifest[]
  /** What is wrong. */
  readonly problems: readonly Problem[]
}
