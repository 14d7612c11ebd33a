/** The variables of a control template. JSON data; only own properties are read. */
export interface TemplateVariables {
  readonly payload: unknown
  readonly subscriber: unknown
  readonly actor?: unknown
  /** The run's contexts, by type. */
  readonly context: unknown
  readonly env: unknown
  /** Stored outputs of earlier steps, by step id. */
  readonly steps: unknown
  /** The workflow: `workflowId`, `name`, `description`, `tags`, `severity`. */
  readonly workflow: unknown
}
