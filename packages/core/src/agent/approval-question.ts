import type { JsonObject } from '@trestle/protocol'
import { replyLimits } from './reply-limits.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A call of a tool that waits for an approval. */
export interface WaitingToolCall {
  /** The name of the tool. */
  readonly toolName: string
  /** What it is called with. */
  readonly input: unknown
}

/**
 * Returns the question for calls of tools: their names, with all that they are called with, since nobody approves what
 * they do not see. It is never too long: the calls travel in the value of the question, which is shorter than a text.
 *
 * @param calls - The calls.
 */
export function describeCalls(calls: readonly WaitingToolCall[]): string {
  const shown = calls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input ?? {})}`)
  return `May I run ${shown.join(' and ')}?`
}

/**
 * Returns the value of a question for tools. Where a conversation is longer than a value may be, its oldest messages
 * are left out: first whole exchanges, then earlier steps of the answer, so that what is left begins with what a person
 * wrote and no result of a tool is without its call. Instructions at the beginning stay.
 *
 * @param approvalIds - The ids of the approvals.
 * @param all - All messages, as JSON carries them; the last of the model holds the calls.
 * @throws TypeError - The messages of the calls alone are too long.
 */
export function toApprovalValue(approvalIds: readonly string[], all: readonly JsonObject[]): ToolApproval {
  const begin = Math.max(
    0,
    all.findIndex(({ role }) => role !== 'system'),
  )
  const lengths = all.map((message) => JSON.stringify(message).length + 1)
  const lengthOf = (from: number, to: number): number => lengths.slice(from, to).reduce((sum, one) => sum + one, 0)
  const room = replyLimits.value - JSON.stringify({ approvalIds, messages: [] }).length - lengthOf(0, begin)
  const cut = findCuts(all, begin).find(({ from, to, rest }) => lengthOf(from, to) + lengthOf(rest, all.length) <= room)
  if (!cut)
    throw new TypeError(
      `replyFrom(): what the model has to know of the calls has more than ${replyLimits.value} characters as JSON. ` +
        'Let tools return less.',
    )
  const kept = [...all.slice(0, begin), ...all.slice(cut.from, cut.to), ...all.slice(cut.rest)]
  return { approvalIds: [...approvalIds], messages: kept as ToolApproval['messages'] }
}

/** What is kept of messages: those from `from` up to `to`, and those from `rest` on. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly rest: number
}

/** Returns what may be kept of messages, longest first. */
function findCuts(all: readonly JsonObject[], begin: number): readonly Cut[] {
  const indexesOf = (role: string): readonly number[] =>
    all.flatMap((message, index) => (index > begin && message['role'] === role ? [index] : []))
  const users = indexesOf('user')
  const lastUser = users.at(-1) ?? begin
  const steps = indexesOf('assistant').filter((index) => index > lastUser)
  return [
    ...[begin, ...users].map((rest) => ({ from: rest, to: rest, rest })),
    ...steps.map((rest) => ({ from: lastUser, to: lastUser + 1, rest })),
  ]
}
