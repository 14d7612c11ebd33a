import { setTimeout as sleep } from 'node:timers/promises'
import { type TriggerRequest, triggerWorkflow } from '../api/trigger-workflow.ts'
import type { BridgeProblem } from '../bridge/describe-failure.ts'
import { toRunningNote } from '../dev/dev-report.ts'
import { mayPass } from '../dev/may-pass.ts'
import { toScreen } from '../dev/screen.ts'
import { type DevEvent, type DevOptions, type DevSession, startDev } from '../dev/start-dev.ts'
import type { CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { endedWell, follow } from './base/follow.ts'
import { readTriggerOptions } from './base/trigger-options.ts'

const usualWaitSeconds = 60
/** A subscriber with contact data, so that the messages of a first workflow are sent. */
const someone = { subscriberId: 'ada', email: 'ada@example.com', phone: '+15555550100' }

/**
 * Starts the service and the app, syncs once, triggers the given workflow, if any, and exits.
 *
 * @returns 0 if the app was synced and the run completed.
 * @throws {UsageError} An option of the trigger is invalid.
 * @throws {CommandError} The app does not respond in time, or its bridge fails.
 */
export async function devOnce(input: CommandInput, options: DevOptions): Promise<0 | 1> {
  const { terminal, signal, flag, whole } = input
  const waitMs = (whole('wait', { min: 1, max: 3600 }) ?? usualWaitSeconds) * 1000
  const trigger = readTrigger(input)
  const end = terminal.progress('Waiting for the app')
  let synced: (DevEvent & { kind: 'synced' }) | undefined
  let problem: BridgeProblem | undefined
  const broken = new AbortController()
  const session = await startDev({
    ...options,
    port: options.port ?? 0,
    onEvent(event) {
      if (event.kind === 'app-line') terminal.note(`${terminal.notePaint.dim('app │')} ${event.line}`)
      if (event.kind === 'already-running') terminal.note(toRunningNote(event))
      if (event.kind === 'failing') {
        problem = event.problem
        // Waits while the problems are normal for an app that is starting; reports any other problem immediately.
        if (!mayPass(problem.code)) broken.abort()
      }
      if (event.kind === 'synced') synced = event
    },
  })
  try {
    const hasRun = options.run !== undefined
    const waiting = { waitMs, signal, broken: broken.signal, problem: () => problem, hasRun }
    const bridgeUrl = await within(session, waiting).finally(end)
    const { workflows, agents } = synced?.state.reply ?? { workflows: [], agents: [] }
    const { url: apiUrl, key, applicationIdentifier } = session.service
    const summary = {
      bridgeUrl,
      apiUrl,
      applicationIdentifier,
      studioUrl: session.service.studioLink(),
      key,
      workflows,
      agents,
      problem: undefined,
      framework: undefined,
      data: options.data,
    }
    if (!flag('json')) terminal.print(toScreen({ ...summary, startMs: process.uptime() * 1000 }, terminal.paint))
    const run = trigger && (await runOnce(input, session, trigger))
    const warnings = workflows.flatMap(({ workflowId, warnings: all }) =>
      (all ?? []).map((one) => ({ workflowId, ...one })),
    )
    if (flag('json'))
      terminal.printJson({
        bridgeUrl,
        workflows: workflows.map(({ workflowId }) => workflowId),
        warnings,
        run: run ?? null,
      })
    return run === undefined || endedWell(run) ? 0 : 1
  } finally {
    await session.stop()
  }
}

interface Waiting {
  readonly waitMs: number
  readonly signal: AbortSignal
  readonly broken: AbortSignal
  readonly problem: () => BridgeProblem | undefined
  readonly hasRun: boolean
}

async function within({ ready }: DevSession, { waitMs, signal, broken, problem, hasRun }: Waiting): Promise<string> {
  const timer = new AbortController()
  try {
    const pause = sleep(waitMs, undefined, { signal: AbortSignal.any([signal, timer.signal, broken]) })
    const late = pause
      .catch(() => undefined)
      .then(() => {
        signal.throwIfAborted()
        const currentProblem = problem()
        if (currentProblem) throw new CommandError(currentProblem.message, currentProblem)
        throw new CommandError(`No bridge answered within ${waitMs / 1000} seconds.`, {
          fix: `${hasRun ? 'Give' : 'Start the app with --run, or give'} the address of its bridge with --bridge URL; trestle doctor URL shows details.`,
        })
      })
    return await Promise.race([ready, late])
  } finally {
    timer.abort()
  }
}

/** Returns the trigger to run; undefined without `--trigger`. */
function readTrigger(input: CommandInput): TriggerRequest | undefined {
  const { to = someone, payload } = readTriggerOptions(input)
  const workflowId = input.text('trigger')
  if (workflowId !== undefined) return { workflowId, to, payload }
  for (const name of ['to', 'payload'])
    if (input.text(name) !== undefined) throw new UsageError(`--${name} needs --trigger.`)
  return undefined
}

async function runOnce(input: CommandInput, { service }: DevSession, trigger: TriggerRequest) {
  const { flag, terminal, signal } = input
  const { workflowId } = trigger
  const access = { apiUrl: service.url, key: service.key }
  const triggered = await triggerWorkflow(access, trigger, signal)
  const isQuiet = flag('json')
  if (!isQuiet) terminal.print(terminal.paint.bold(`${workflowId}, transaction ${triggered.transactionId}`))
  const followed = await follow(access, { ...triggered, skipWaits: true, isQuiet }, input)
  return { transactionId: triggered.transactionId, ...followed }
}
