import type { ConversationReport } from './conversation-report.ts'

// Stored outside the reports, because a test may compare a whole report.
const declared = new WeakMap<ConversationReport, readonly string[]>()

/**
 * Records the actions that the agent of a conversation declares.
 *
 * @param actions - The actions by id; `undefined` if the agent declares none and any are allowed.
 */
export function noteActions(report: ConversationReport, actions: ReadonlyMap<string, unknown> | undefined): void {
  if (actions) declared.set(report, [...actions.keys()])
}

/**
 * Returns the actions that the agent of a conversation declares.
 *
 * @returns `undefined` if they are unknown.
 */
export function actionsOf(report: ConversationReport): readonly string[] | undefined {
  return declared.get(report)
}
