import { isObject, type JsonObject } from '@trestle/protocol'
import { isOptionalObject } from './event-wait.ts'

/** Limits of workflows that steps trigger. */
export const childLimits: Readonly<Record<'depth' | 'recipients' | 'descendants', number>> = Object.freeze({
  /** How many runs may trigger each other in a row. */
  depth: 5,
  /** Recipients of one step. */
  recipients: 100,
  /** Runs that the steps of a run, and of the runs below it, trigger in total. */
  descendants: 10_000,
})

/** The fields of a recipient that contain text or null. */
export const recipientTextFields: readonly string[] = Object.freeze([
  ...['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'],
])

const subscriberFields = ['subscriberId', ...recipientTextFields, 'data', 'channels']
const topicFields = ['type', 'topicKey', 'exclude']

/** How a run that a step triggered has ended. */
export type ChildStatus = 'completed' | 'failed' | 'canceled' | 'merged'

/** A run that a step triggered. */
export interface ChildRun {
  readonly runId: string
  readonly subscriberId: string
  readonly status: ChildStatus
}

/**
 * Returns the transaction id of the runs that a step triggers. It is the same for each attempt, so that a step that is
 * called again after a crash triggers them once.
 *
 * @param parent - The id of the step's run, and the step's id.
 * @example
 * toChildTransactionId({ runId: 'r1', stepId: 'invoice' }) // 'r1:invoice'
 */
export function toChildTransactionId({ runId, stepId }: { readonly runId: string; readonly stepId: string }): string {
  return `${runId}:${stepId}`
}

/**
 * Returns why a step cannot trigger a workflow.
 *
 * @param outputs - The output of the step's handler.
 */
export function findTriggerFault({ workflow, to, payload, overrides }: JsonObject): string | undefined {
  if (typeof workflow !== 'string' || workflow === '') return 'workflow must be the id of a workflow'
  if (to === undefined || to === null) return 'to is missing'
  if (Array.isArray(to) && to.length > childLimits.recipients) return toRecipientFault(to.length)
  if (!isOptionalObject(payload)) return 'payload must be an object'
  if (!isOptionalObject(overrides)) return 'overrides must be an object'
  return [to].flat().map(findFieldFault).find(Boolean)
}

/** An unknown field, such as a misspelled `exclude`, would otherwise notify the wrong subscribers. */
function findFieldFault(recipient: unknown): string | undefined {
  if (!isObject(recipient)) return undefined
  const names = 'topicKey' in recipient ? topicFields : subscriberFields
  const unknown = Object.keys(recipient).find((name) => !names.includes(name))
  if (unknown !== undefined) return `to has the unknown field ${JSON.stringify(unknown)}`
  const { exclude = [] } = recipient
  const isList = Array.isArray(exclude) && exclude.every((id) => typeof id === 'string')
  return isList ? undefined : 'exclude must be a list of subscriber ids'
}

/**
 * Returns why a step cannot trigger a workflow for its recipients.
 *
 * @param count - How many there are.
 * @example
 * toRecipientFault(101) // 'to has 101 recipients, and a step can trigger runs for up to 100'
 */
export function toRecipientFault(count: number): string | undefined {
  const { recipients } = childLimits
  return count > recipients
    ? `to has ${count} recipients, and a step can trigger runs for up to ${recipients}`
    : undefined
}

/**
 * Returns why a run cannot trigger another one.
 *
 * @param depth - How many runs triggered each other before this one: 0 for a run that the API triggered.
 * @example
 * toDepthFault(5) // 'runs can trigger each other at most 5 times in a row, and …'
 */
export function toDepthFault(depth: number): string | undefined {
  return depth >= childLimits.depth
    ? `runs can trigger each other at most ${childLimits.depth} times in a row, and this run is the result of the last one`
    : undefined
}

/**
 * Returns why a step cannot trigger more runs.
 *
 * @param count - How many runs the first run and the runs below it would have triggered, including those of the step.
 * @example
 * toDescendantsFault(10_001) // 'a run and the runs below it can trigger at most 10000 runs, and …'
 */
export function toDescendantsFault(count: number): string | undefined {
  const { descendants } = childLimits
  return count > descendants
    ? `a run and the runs below it can trigger at most ${descendants} runs, and these would be ${count}`
    : undefined
}

/**
 * Returns the result of a step that does not wait for the runs that it triggered.
 *
 * @param transactionId - The transaction id of the runs.
 * @example
 * toTriggeredResult('r1:invoice') // { status: 'triggered', transactionId: 'r1:invoice' }
 */
export function toTriggeredResult(transactionId: string): JsonObject {
  return { status: 'triggered', transactionId }
}

/** The runs that a step triggered, after they have ended. */
export interface EndedChildren {
  /** The transaction id of the runs. */
  readonly transactionId: string
  readonly runs: readonly ChildRun[]
  /** Whether the transaction was canceled before all runs were created. */
  readonly isCanceled?: boolean
  /** Whether the trigger failed before all runs were created. */
  readonly isFailed?: boolean
}

/**
 * Returns the result of a step whose runs have ended: `failed` if one has failed, or else `canceled` if one was
 * canceled.
 *
 * @param children - The runs.
 * @example
 * toChildrenResult({ transactionId: 'r1:invoice', runs: [] }).status // 'completed'
 */
export function toChildrenResult(children: EndedChildren): JsonObject {
  const { transactionId, runs, isCanceled = false, isFailed = false } = children
  const has = (status: ChildStatus): boolean => runs.some((run) => run.status === status)
  const rest = isCanceled || has('canceled') ? 'canceled' : 'completed'
  return { status: isFailed || has('failed') ? 'failed' : rest, transactionId, runs }
}
