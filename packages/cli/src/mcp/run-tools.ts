import { isObject } from '@trestle/protocol'
import { type FollowedTrigger, followRuns } from '../api/follow-runs.ts'
import { callService } from '../api/service-access.ts'
import { triggerWorkflow } from '../api/trigger-workflow.ts'
import { CommandError } from '../terminal/command-error.ts'
import { readRun } from './read-run.ts'
import { anyObject, error, integer, listOf, next, objectOf, orNull, string, stringOrNull } from './schemas.ts'
import { toQuery } from './to-query.ts'
import { createTool, type McpTool, readsOnly, toAccess } from './tool.ts'
import { choice, limit, object, recipient, required, text } from './tool-input.ts'

const runTimeoutMs = 60_000
/**
 * The maximum number of runs to read: a topic creates a run for each subscriber, and a few of them are representative.
 */
const maxRunsRead = 10
const usualRecipient = { subscriberId: 'ada', email: 'ada@example.com', phone: '+15550100' }

const runParts = {
  runId: string,
  workflowId: string,
  transactionId: string,
  subscriberId: string,
  status: { enum: ['running', 'completed', 'failed', 'merged', 'canceled'] },
  payload: anyObject,
  createdAt: string,
  finishedAt: stringOrNull,
  steps: listOf(
    objectOf({
      ...{ stepId: string, type: string, status: string },
      rendered: { ...orNull(anyObject), description: 'The output of the step, after rendering.' },
      result: { ...orNull(anyObject), description: 'The payload that the workflow function received.' },
      error: orNull(error),
    }),
  ),
  history: listOf(objectOf({ at: string, stepId: stringOrNull, status: string, detail: string, error: orNull(error) })),
  messages: listOf(
    objectOf({
      ...{ stepId: stringOrNull, channel: string, status: string, to: stringOrNull },
      rendered: { ...anyObject, description: 'The message as its provider would receive it.' },
      outboxId: stringOrNull,
      error: { ...orNull(error), description: 'Why it was not delivered; null if it was.' },
    }),
  ),
}

/** The tools that run workflows and read runs. */
export const runTools: readonly McpTool[] = Object.freeze([
  createTool({
    name: 'run_workflow',
    title: 'Run a workflow',
    description:
      'Triggers a workflow in the local service, skips its delays and digests, and returns the finished runs with each rendered step and each message. Messages stay in the outbox unless the environment has an integration for the channel. Handlers of the app really run. A completed run can have a message with an error, such as a missing address: check `messages`.',
    input: {
      workflowId: required(text('The workflow.')),
      payload: object('The trigger payload.'),
      to: recipient(
        `A subscriber id, a subscriber such as {"subscriberId":"ada","email":"ada@example.com"}, or a topic such as {"type":"Topic","topicKey":"news"}. By default ${JSON.stringify(usualRecipient)}.`,
      ),
    },
    output: {
      ...{ transactionId: string, status: string, runs: listOf(objectOf(runParts)) },
      otherRunIds: { ...listOf(string), description: 'Further runs; read one with show_run.' },
      incomplete: { ...stringOrNull, description: 'Why not all runs were created; null if they were.' },
    },
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    async run({ workflowId, payload = {}, to = usualRecipient }, place) {
      const access = toAccess(place)
      const timeout = AbortSignal.timeout(runTimeoutMs)
      const signal = AbortSignal.any([place.signal, timeout])
      const { transactionId, status } = await triggerWorkflow(access, { workflowId, to, payload }, signal)
      let followed: FollowedTrigger
      try {
        followed = await followRuns(access, { transactionId, skipWaits: true, onEvent: () => undefined, signal })
      } catch (cause) {
        if (place.signal.aborted || !timeout.aborted) throw cause
        throw new CommandError(`Transaction ${transactionId} did not end within ${runTimeoutMs / 1000} seconds.`, {
          fix: 'List its runs with list_runs and this transactionId, then read one with show_run.',
          cause,
        })
      }
      const ids = followed.runs.map(({ runId }) => runId)
      const runs = []
      for (const id of ids.slice(0, maxRunsRead)) runs.push(await readRun(access, id, place.signal))
      return { transactionId, status, runs, otherRunIds: ids.slice(maxRunsRead), incomplete: followed.incomplete }
    },
  }),
  createTool({
    name: 'list_runs',
    title: 'List runs',
    description: 'Lists runs of the local service, newest first, with the status of each step.',
    input: {
      workflowId: text('Only runs of this workflow.'),
      subscriberId: text('Only runs for this subscriber.'),
      transactionId: text('Only runs from this trigger.'),
      status: choice('Only runs with this status.', ['running', 'completed', 'failed', 'merged', 'canceled']),
      limit: limit(20, 100),
      after: text('Start of the page: `next` from the previous page.', 4000),
    },
    output: {
      runs: listOf(
        objectOf({
          ...{ runId: string, workflowId: string, transactionId: string, subscriberId: string, status: string },
          ...{ createdAt: string, finishedAt: stringOrNull },
          steps: listOf(objectOf({ stepId: string, type: string, status: string })),
        }),
      ),
      next,
      total: integer,
    },
    hints: readsOnly,
    async run(input, place) {
      const path = `/v1/studio/runs${toQuery(input)}`
      const page = await callService(toAccess(place), { method: 'GET', path, signal: place.signal })
      const { data = [], next: after = null, totalCount = 0 } = isObject(page) ? page : {}
      const rows = (data as readonly unknown[]).filter(isObject)
      return { runs: rows.map(toLine), next: after, total: totalCount }
    },
  }),
  createTool({
    name: 'show_run',
    title: 'Show a run',
    description: 'Returns one run: each rendered step, the events in order, errors with their fixes, and each message.',
    input: { runId: required(text('The run.')) },
    output: runParts,
    hints: readsOnly,
    run: ({ runId }, place) => readRun(toAccess(place), runId, place.signal),
  }),
])

function toLine(row: Readonly<Record<string, unknown>>): object {
  const { _id: runId, workflowId, transactionId, subscriberId, status, createdAt, finishedAt } = row
  const steps = Array.isArray(row['steps']) ? row['steps'].filter(isObject) : []
  return {
    ...{ runId, workflowId, transactionId, subscriberId, status, createdAt, finishedAt },
    steps: steps.map(({ stepId, type, status: stepStatus }) => ({ stepId, type, status: stepStatus })),
  }
}
