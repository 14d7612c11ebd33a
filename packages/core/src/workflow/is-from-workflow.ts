import type { Workflow, WorkflowDefinition } from './workflow.ts'

/** A message from the service or an inbox; one of these fields identifies the workflow that sent it. */
export interface WorkflowMessage {
  /** The workflow, in inbox messages. */
  readonly workflow?: { readonly identifier?: string | undefined } | null | undefined
  /** The workflow's id, in notifications. */
  readonly workflowId?: string | undefined
  /** The workflow's id, in messages from the REST API. */
  readonly templateIdentifier?: string | undefined
  /** The trigger payload, if the message contains it. */
  readonly payload?: unknown
}

/** The payload type of a workflow's triggers; `unknown` for an untyped workflow. */
export type PayloadOf<TWorkflow> = TWorkflow extends Workflow<infer TPayload> ? TPayload : unknown

/** A message sent by a workflow, with the payload type of its triggers. */
export interface MessageOf<TWorkflow> extends WorkflowMessage {
  /** The trigger payload, if the message has it. */
  readonly payload?: PayloadOf<TWorkflow>
}

/**
 * Returns whether a workflow sent a message, and narrows its payload type. The payload is not validated again: the
 * workflow's schema validated it when it was triggered.
 *
 * @param message - A message from an inbox, the REST API or an agent's event; returns false if it is missing.
 * @param workflow - The workflow, or its id if the workflow cannot be imported, for example in a browser.
 * @example
 * if (isFromWorkflow<typeof orderShipped>(message, 'order-shipped')) show(message.payload?.id)
 */
export function isFromWorkflow<TWorkflow extends WorkflowDefinition>(
  message: WorkflowMessage | null | undefined,
  workflow: TWorkflow | string,
): message is MessageOf<TWorkflow> {
  if (!message) return false
  const wanted = typeof workflow === 'string' ? workflow : workflow.id
  const { workflow: sender, workflowId, templateIdentifier } = message
  return (sender?.identifier ?? workflowId ?? templateIdentifier) === wanted
}
