import type { ConversationReport } from './conversation-report.ts'

// Beside the reports, not in them: a test may compare a whole report.
const declared = new WeakMap<ConversationReport, readonly string[]>()

/**
 * Notes which actions the agent of a conversation declares.
 *
 * @param actions - The actions by id; `undefined` where the agent declares none, and any may be asked.
 */
export function noteActions(report: ConversationReport, actions: ReadonlyMap<string, unknown> | undefined): void {
  if (actions) declared.set(report, [...actions.keys()])
}

/**
 * Returns which actions the agent of a conversation declares.
 *
 * @returns `undefined` where nobody knows.
 */
export function actionsOf(report: ConversationReport): readonly string[] | undefined {
  return declared.get(report)
}
