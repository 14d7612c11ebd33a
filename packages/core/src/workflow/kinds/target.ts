declare const payloadType: unique symbol

/** What a trigger needs of a workflow: its id, and the type of its payload. */
// biome-ignore lint/suspicious/noExplicitAny: without an argument it stands for any workflow, whose triggers take any payload.
export interface TriggerTarget<TPayload = any> {
  /** The id, which must be unique in its bridge. */
  readonly id: string
  /** Carries the payload type of triggers; it does not exist at run time. */
  readonly [payloadType]?: TPayload
}
