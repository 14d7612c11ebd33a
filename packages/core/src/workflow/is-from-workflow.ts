import type { Workflow, WorkflowDefinition } from './workflow.ts'

/** A message of any shape the service or an inbox gives: one of these fields names the workflow that sent it. */
export interface WorkflowMessage {
  /** The workflow, as an inbox gives it. */
  readonly workflow?: { readonly identifier?: string | undefined } | null | undefined
  /** The workflow's id, as a notification carries it. */
  readonly workflowId?: string | undefined
  /** The workflow's id, as the REST API's messages carry it. */
  readonly templateIdentifier?: string | undefined
  /** The payload of the trigger, where the message carries it. */
  readonly payload?: unknown
}

/** The payload type of a workflow's triggers; `unknown` for a workflow without a type of its own. */
export type PayloadOf<TWorkflow> = TWorkflow extends Workflow<infer TPayload> ? TPayload : unknown

/** A message that a workflow sent: its payload is what the workflow's triggers send. */
export interface MessageOf<TWorkflow> extends WorkflowMessage {
  /** The payload of the trigger, where the message carries it. */
  readonly payload?: PayloadOf<TWorkflow>
}

/**
 * Returns whether a workflow sent a message, and gives its payload the workflow's type. What the message carries is
 * believed, not checked: the payload went through the workflow's schema when it was triggered.
 *
 * @param message - From an inbox, the REST API or an agent's event; none is from no workflow.
 * @param workflow - The workflow, or its id where the workflow's own code is out of reach, as in a browser.
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
