import type { StepType } from '@trestle/protocol'
import type { Flag, Id, JsonText, Millis } from './column.ts'

/** An accepted trigger, kept until all of its runs are created, and then as long as these runs. */
export interface TriggerRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The transaction id; unique in the environment among triggers that created runs. */
  transactionId: string
  /** The workflow identifier in the trigger. */
  workflowIdentifier: string
  /** The kind of request: one trigger, several, or a broadcast. */
  kind: 'single' | 'bulk' | 'broadcast'
  /** The request body; empty once the trigger has ended. */
  body: JsonText
  status: 'accepted' | 'processing' | 'done' | 'duplicate' | 'failed' | 'canceled'
  /** Why the trigger failed. */
  error: JsonText | null
  /** The progress of creating runs: the row id of the last processed subscriber. */
  cursor: string | null
  /** The trace context of the request; see `traces/trace-context.ts`. */
  trace: string | null
  /** Row id of the step that triggered it; unique. */
  parentJobId: Id | null
  /** When it was accepted. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** One run of a workflow for one subscriber; the API calls it a notification. */
export interface RunRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the trigger; unique with `externalSubscriberId`. */
  triggerId: Id
  /** The transaction id of the trigger. */
  transactionId: string
  /** Row id of the workflow. */
  workflowId: Id
  workflowIdentifier: string
  /** Row id of the subscriber. */
  subscriberId: Id
  /** The subscriber id, chosen by the app. */
  externalSubscriberId: string
  status: 'running' | 'completed' | 'failed' | 'merged' | 'canceled'
  /** The trigger's payload. */
  payload: JsonText
  /** The trigger's overrides. */
  overrides: JsonText
  /** A snapshot of the actor. */
  actor: JsonText | null
  /** A snapshot of the tenant. */
  tenant: JsonText | null
  /** Snapshots of the contexts by type, as `{ id, data }`. */
  context: JsonText | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** The topics that contain the recipient: a list of `{ _topicId, topicKey }`. */
  topics: JsonText
  /** The recipient as resolved, an object. */
  recipient: JsonText
  /** The bridge URL for this run, if the trigger specified one. */
  bridgeUrl: string | null
  /** The workflow's tags, a list. */
  tags: JsonText
  /** The distinct types of its steps, a list. */
  channels: JsonText
  severity: string
  /** Whether the workflow is critical. */
  critical: Flag
  /** A snapshot of the stored control values, by step. */
  controls: JsonText
  /** The run whose digest merged this run. */
  digestedRunId: Id | null
  /** The number of changes by the run's steps; each change locks the row. */
  sequence: number
  /**
   * The progress of a run whose bridge decides the next step: `idle` until a step ends, `due` for a call, `calling`, or
   * closed as `done`, `failed` or `canceled`. `null` if the steps were planned from the workflow's list.
   */
  next: 'idle' | 'due' | 'calling' | 'done' | 'failed' | 'canceled' | null
  /** The claim of the call in progress; kept if the run is closed during the call. */
  nextClaim: string | null
  /**
   * The number of calls since a step last changed that failed without naming a step, or named none after such a
   * failure.
   */
  nextFailures: number
  /**
   * Whether its work has the lowest priority: it belongs to a topic or a broadcast, or a step of such a run triggered
   * it.
   */
  isBulk: Flag
  /** The trace context of the run's creation; see `traces/trace-context.ts`. */
  trace: string | null
  /** The run whose step triggered this one. */
  parentRunId: Id | null
  /** Row id of that step. */
  parentJobId: Id | null
  /** Whether that step ends when this run has ended. */
  isAwaited: Flag
  /** The first of the runs that triggered each other; null for that run itself. */
  rootRunId: Id | null
  /** How many runs its steps, and those of the runs below it, have triggered; counted for a first run. */
  descendants: number
  /** How many runs triggered each other before this one. */
  depth: number
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
  /** When the run's last step ended. */
  finishedAt: Millis | null
}

/** The statuses of a step. */
export type JobStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'delayed'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'merged'
  | 'skipped'

/** One step of one run. */
export interface JobRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run; unique with `position`. */
  runId: Id
  /** The step's index in the run. */
  position: number
  stepId: string
  /** The type of the step. */
  type: StepType
  /** Steps with the same number run in parallel. */
  parallelGroup: number | null
  /** Steps with the same wave run in parallel; each wave starts after the previous one has ended. */
  wave: number
  /** Row id of a step that must end first, if the bridge requested it. */
  waitsForId: Id | null
  /** Identifies a process's claim of the step. */
  claim: string | null
  /**
   * `sending` while stored messages have not been sent, `unreached` if the run did not reach the step, `handled` if the
   * workflow function received its failure.
   */
  stage: 'sending' | 'unreached' | 'retrying' | 'handled' | null
  /** A snapshot of the step at the start of the run: `{ id, stepId, name, type }`. */
  step: JsonText
  status: JobStatus
  /** The result, available to later steps. */
  result: JsonText | null
  /** The outputs that the bridge returned. */
  outputs: JsonText | null
  /** Why it failed. */
  error: JsonText | null
  /** The delivery provider that was used. */
  providerId: string | null
  /** The bucket of a digest or throttle; the bucket of events that a step waits for. */
  bucket: string | null
  /** The digest that merged this one. */
  mergedIntoId: Id | null
  /** Row id of the event that the step received. */
  eventId: Id | null
  /** When the step's wait ends. */
  dueAt: Millis | null
  /** When the bridge was called. */
  calledAt: Millis | null
  /** When the step ended. */
  endedAt: Millis | null
  /** The step's position in the order in which the run's steps ended, starting at 1. */
  completedOrder: number | null
  /** How often a wait was extended to fit the recipient's schedule. */
  scheduleExtensions: number
  /** How often the step was dispatched; 0 for a planned step. */
  handOuts: number
  /** How often the step failed and was retried. */
  attempts: number
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** An emitted event, stored for a while for runs that start to wait for it. */
export interface EmittedEventRow {
  /** Primary key; sorts by time. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  name: string
  /** Its data. */
  payload: JsonText
  /** The subscriber whose runs receive it; null for all. */
  recipient: string | null
  /** Hashes of the fields that waits compare, separated by `|`. */
  keys: string
  /** `open` until it has canceled and woken all its runs. */
  status: 'open' | 'done'
  /** Where its work continues: `{ stage, buckets, after }`. */
  cursor: JsonText | null
  /** When it was emitted. */
  createdAt: Millis
}

/** An event that cancels a run. Removed once the run has ended and such an event arrived, or with the run. */
export interface CancelWatchRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Row id of the run. */
  runId: Id
  /** The name of the event. */
  event: string
  /** One of `keys`: events with it are candidates. */
  bucket: string
  /** Hashes of the fields that the event must have, a list. */
  keys: JsonText
  /** When the run was triggered. Earlier events do not cancel it. */
  since: Millis
}
