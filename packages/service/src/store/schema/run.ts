import type { StepType } from '@trestle/protocol'
import type { Flag, Id, JsonText, Millis } from './column.ts'

/** An accepted trigger, kept until all of its runs are made and as long as they. */
export interface TriggerRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Given by the caller or made; unique in the environment among the triggers that have made runs. */
  transactionId: string
  /** The identifier that the trigger named. */
  workflowIdentifier: string
  /** How it came: alone, in a bulk, or for all subscribers. */
  kind: 'single' | 'bulk' | 'broadcast'
  /** The request's body. */
  body: JsonText
  /** How far it is. */
  status: 'accepted' | 'processing' | 'done' | 'duplicate' | 'failed' | 'canceled'
  /** Why it failed. */
  error: JsonText | null
  /** Where the making of runs goes on: row id of the last subscriber served. */
  cursor: string | null
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
  /** The trigger's transaction. */
  transactionId: string
  /** Row id of the workflow. */
  workflowId: Id
  /** The workflow's identifier. */
  workflowIdentifier: string
  /** Row id of the subscriber. */
  subscriberId: Id
  /** The caller's own identifier of the subscriber. */
  externalSubscriberId: string
  /** How far it is. */
  status: 'running' | 'completed' | 'failed' | 'merged' | 'canceled'
  /** The trigger's payload. */
  payload: JsonText
  /** The trigger's overrides. */
  overrides: JsonText
  /** Who caused it: a subscriber as it was. */
  actor: JsonText | null
  /** The tenant as it was. */
  tenant: JsonText | null
  /** The contexts as they were: type to `{ id, data }`. */
  context: JsonText | null
  /** A list of `type:id`. */
  contextKeys: JsonText
  /** The topics that led here: a list of `{ _topicId, topicKey }`. */
  topics: JsonText
  /** The recipient as resolved, an object. */
  recipient: JsonText
  /** The bridge that serves this run, when the trigger named one. */
  bridgeUrl: string | null
  /** The workflow's tags, a list. */
  tags: JsonText
  /** The distinct kinds of its steps, a list. */
  channels: JsonText
  /** The severity. */
  severity: string
  /** Whether the workflow is critical. */
  critical: Flag
  /** Stored control values by step, as they were. */
  controls: JsonText
  /** The run whose digest took this one in. */
  digestedRunId: Id | null
  /** How often its steps changed it; each change locks the row through it. */
  sequence: number
  /**
   * How the run stands with its bridge, which says what comes next: `idle` until a step ends, `due` for a call, `calling`, or
   * closed as `done`, `failed` or `canceled`. `null` if its steps are planned from the list.
   */
  next: 'idle' | 'due' | 'calling' | 'done' | 'failed' | 'canceled' | null
  /** Identifies the call that a process is making; kept by a run that is closed meanwhile. */
  nextClaim: string | null
  /** 1 after a call that failed without naming a step, 2 if the one after it named none either. */
  nextFailures: number
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
  /** When its last step ended. */
  finishedAt: Millis | null
}

/** The states of a step. */
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
  /** Its place in the run, from 0. */
  position: number
  /** The step's own identifier. */
  stepId: string
  /** The kind of step. */
  type: StepType
  /** Steps that share a number run side by side. */
  parallelGroup: number | null
  /** Steps of one wave run side by side; waves follow one another from 0 on. */
  wave: number
  /** Row id of the step that must end first, where the bridge asked for it. */
  waitsForId: Id | null
  /** Shows which attempt holds the step. */
  claim: string | null
  /** `sending` while its messages are stored and have not all left the house, `unreached` if the run did not reach it. */
  stage: 'sending' | 'unreached' | null
  /** The step as it was when the run began: `{ id, stepId, name, type }`. */
  step: JsonText
  /** How far it is. */
  status: JobStatus
  /** The result that later steps see. */
  result: JsonText | null
  /** The bridge's answer. */
  outputs: JsonText | null
  /** Why it failed. */
  error: JsonText | null
  /** The delivery provider that was used. */
  providerId: string | null
  /** The bucket of a digest or throttle. */
  bucket: string | null
  /** The digest that took this one in. */
  mergedIntoId: Id | null
  /** When a wait ends. */
  dueAt: Millis | null
  /** When the bridge was asked. */
  calledAt: Millis | null
  /** When it ended. */
  endedAt: Millis | null
  /** Its place in the order in which the run's steps ended, from 1. */
  completedOrder: number | null
  /** How often a wait was moved into the recipient's schedule. */
  scheduleExtensions: number
  /** How often the bridge handed it out; 0 for a step that was planned from the list. */
  handOuts: number
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}
