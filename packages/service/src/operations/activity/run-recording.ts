import { isObject, type JsonObject } from '@trestle/protocol'
import { hideSecrets } from '../../context/hide-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject, toObjects } from '../../json/json.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { BridgeCallRow } from '../../store/schema/trace.ts'
import type { Session } from '../../store/store.ts'

/** The maximum number of calls per recording. Ordinary runs have far fewer. */
const maxCalls = 2000
/** A request contains all earlier results, so a long run has many large requests. */
const requestsPerRead = 20
const eventParts = ['payload', 'subscriber', 'context', 'env', 'actor'] as const

/** Returns what the bridge received and returned in a run. Values of secret variables are masked. */
export async function showRecording(context: CallContext, run: RunRow): Promise<JsonObject> {
  const { db } = context.store
  const [jobs, calls] = await Promise.all([
    db.selectFrom('jobs').selectAll().where('runId', '=', run.id).orderBy('position').execute(),
    selectCalls(db, run.id)
      .select(['id', 'jobId', 'reply', 'status'])
      .orderBy('id')
      .limit(maxCalls + 1)
      .execute(),
  ])
  const inboxIds = new Set(jobs.filter(({ type }) => type === 'in_app').map(({ stepId }) => stepId))
  const includedCalls = calls.slice(0, maxCalls)
  return hideSecrets(context, {
    _id: run.id,
    workflowId: run.workflowIdentifier,
    transactionId: run.transactionId,
    status: run.status,
    createdAt: new Date(run.createdAt).toISOString(),
    runDriven: run.next !== null,
    complete: calls.length <= maxCalls,
    event: await readEvent(db, run.id),
    stepControls: JSON.parse(run.controls),
    steps: jobs.map((job) =>
      toStep(
        job,
        includedCalls.filter(({ jobId }) => jobId === job.id),
      ),
    ),
    inboxStates: inboxIds.size === 0 ? [] : await readInboxStates(db, run.id, inboxIds),
    error: toError(includedCalls),
  })
}

const selectCalls = (db: Session, runId: string) =>
  db.selectFrom('bridgeCalls').where('runId', '=', runId).where('action', '=', 'execute')

async function readEvent(db: Session, runId: string): Promise<JsonObject | null> {
  const first = await selectCalls(db, runId).select('request').orderBy('id').limit(1).executeTakeFirst()
  if (!first) return null
  const event = eventOf(first)
  const isPresent = (part: string): boolean => part !== 'actor' || isObject(event[part])
  return Object.fromEntries(eventParts.filter(isPresent).map((part) => [part, toObject(event[part])]))
}

const eventOf = ({ request }: Pick<BridgeCallRow, 'request'>): JsonObject => toObject(JSON.parse(request).event)

type Call = Pick<BridgeCallRow, 'jobId' | 'reply' | 'status'>

function toStep(job: JobRow, calls: readonly Call[]): JsonObject {
  const { stepId, type, status, stage, completedOrder } = job
  const answer = calls.findLast((call) => call.status === 200 && call.reply !== null)
  return {
    ...{ stepId, type, status, reached: stage !== 'unreached' && status !== 'pending', order: completedOrder },
    result: parse(job.result),
    error: parse(job.error),
    reply: answer ? toReply(parse(answer.reply)) : null,
  }
}

function toReply(reply: unknown): JsonObject {
  const { outputs, providers, options } = toObject(reply)
  return { outputs: toObject(outputs), providers: toObject(providers), skip: toObject(options)['skip'] === true }
}

/** Earlier failures were overcome. */
function toError(calls: readonly Call[]): unknown {
  const last = calls.at(-1)
  return last && last.jobId === null && last.status !== 200 ? parse(last.reply) : null
}

/** Returns the states of in-app messages in the requests of a run, each only if it has changed. */
async function readInboxStates(db: Session, runId: string, stepIds: ReadonlySet<string>): Promise<readonly object[]> {
  const states: object[] = []
  const last = new Map<string, string>()
  let [after, count] = ['', 0]
  for (;;) {
    const calls = await selectCalls(db, runId)
      .select(['id', 'request'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(requestsPerRead)
      .execute()
    for (const call of calls) {
      const { state } = eventOf(call)
      const results: readonly JsonObject[] = toObjects(state)
      for (const { stepId, outputs } of results) {
        const text = JSON.stringify(outputs)
        if (typeof stepId !== 'string' || !stepIds.has(stepId) || last.get(stepId) === text) continue
        last.set(stepId, text)
        states.push({ results: results.length, stepId, outputs })
      }
    }
    after = calls.at(-1)?.id ?? after
    count += calls.length
    if (calls.length < requestsPerRead || count >= maxCalls) return states
  }
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
