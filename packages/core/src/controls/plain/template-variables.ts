/** The variables of a template in a control. JSON data; own properties only are read. */
export interface TemplateVariables {
  /** The payload. */
  readonly payload: unknown
  /** The recipient. */
  readonly subscriber: unknown
  /** Who caused the notification. */
  readonly actor?: unknown
  /** Contexts of the run by type. */
  readonly context: unknown
  /** The environment's variables. */
  readonly env: unknown
  /** Stored outputs of earlier steps, by step id. */
  readonly steps: unknown
  /** The workflow: `workflowId`, `name`, `description`, `tags`, `severity`. */
  readonly workflow: unknown
}
