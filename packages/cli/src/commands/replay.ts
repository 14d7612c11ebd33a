import { resolve } from 'node:path'
import type { RunRecording } from '@trestle/api-client'
import type { BridgeClient } from '@trestle/bridge-client'
import { findService } from '../api/find-service.ts'
import { createRecordings, type Recordings } from '../api/read-recordings.ts'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { mapInOrder } from '../base/map-in-order.ts'
import { createClient } from '../bridge/create-client.ts'
import { toCommandError } from '../bridge/describe-failure.ts'
import type { ReplayedRun } from '../replay/difference.ts'
import { createMask } from '../replay/mask.ts'
import { runLines, summaryLines, toSummaryJson } from '../replay/print-summary.ts'
import { replayRun } from '../replay/replay-run.ts'
import { toReport } from '../replay/report.ts'
import { createTally, type ReplaySummary } from '../replay/summary.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { toProblem } from '../terminal/print-problem.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'
import { prepareOutput } from './base/prepare-output.ts'

export const replay: Command = {
  name: 'replay',
  usage: '(RUN | --last N) [options]',
  description:
    'Reads past runs from a service, runs them against a bridge with their recorded results, and reports steps that are lost, added, changed or would fail. Sends no messages. Handlers of message steps and waits run; those of steps that store data, such as step.custom, do not.',
  args: { min: 0, max: 1 },
  options: {
    last: { value: 'N', text: 'replays the newest N runs instead of one, up to 100000' },
    workflow: { value: 'ID', text: 'with --last: only runs of this workflow' },
    against: { value: 'URL', text: 'the address of the bridge (default: search on this machine)' },
    report: { value: 'FILE', text: 'writes a report as an HTML page, with mails before and after' },
    mask: { text: 'replaces values of the runs, email addresses and phone numbers in the output and the report' },
    'bridge-key': { value: 'KEY', text: 'the secret key of the bridge (default: the key of the service)' },
    'signature-header': sharedOptions['signature-header'],
    api: sharedOptions.api,
    key: sharedOptions.key,
    json: sharedOptions.json,
  },
  examples: [
    'trestle replay 01a21d344b4200674d43bf5e',
    'trestle replay --last 1000 --against http://localhost:3000/api/bridge --report replay.html --mask',
  ],
  exits: {
    0: 'no compared run differs',
    1: 'a run differs, would fail, or no run could be compared',
  },
  run,
}

/** Frameworks compile a route on its first request. */
const timeoutMs = 60_000

async function run(input: CommandInput): Promise<0 | 1> {
  const { args, text, flag, whole, terminal, signal, cwd } = input
  const [runId] = args
  const last = whole('last', { min: 1, max: 100_000 })
  if ((runId === undefined) === (last === undefined)) throw new UsageError('Choose what to replay: a run, or --last N.')
  if (runId !== undefined && text('workflow') !== undefined) throw new UsageError('--workflow needs --last.')
  const report = text('report')
  const writeReport = report === undefined ? undefined : prepareOutput('report', resolve(cwd, report))
  const access = findService(input)
  const { url } = await resolveBridge(input, text('against'))
  const client = createClient({ url, key: text('bridge-key') ?? access.key, timeoutMs })
  await checkBridge(client, { url, signal })
  const recordings = createRecordings(access, signal)
  const place = { client, recordings, isMasked: flag('mask'), signal }
  const tally = createTally()
  const runs: ReplayedRun[] = []
  const end = terminal.progress(last === undefined ? `Replaying ${runId}` : `Replaying up to ${last} runs`)
  const ids = last === undefined ? listOne(runId ?? '') : recordings.listIds({ last, workflowId: text('workflow') })
  const isRequired = last === undefined
  try {
    for await (const replayed of mapInOrder(ids, (id) => replayOne(id, { ...place, isRequired }))) {
      tally.add(replayed)
      if (last === undefined) runs.push(replayed)
    }
  } finally {
    end()
  }
  const { summary } = tally
  // Printed first, because the report can still fail, for example on a full disk.
  print(input, { runs, summary, bridgeUrl: url })
  try {
    writeReport?.(toReport(summary, { bridgeUrl: url, isMasked: flag('mask') }))
  } catch (error) {
    terminal.note(`The report was not written. ${toProblem(error).message}`)
    return 1
  }
  const compared = summary.same + summary.different + summary.failing
  if (summary.runs > 0 && compared === 0) terminal.note('No run could be compared.')
  return summary.different + summary.failing > 0 || (summary.runs > 0 && compared === 0) ? 1 : 0
}

async function* listOne(runId: string): AsyncGenerator<string, void, undefined> {
  yield runId
}

async function checkBridge(
  client: BridgeClient,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Promise<void> {
  const { capabilities } = await client.discover({ signal }).catch((error: unknown) => {
    throw toCommandError(error)
  })
  if (capabilities?.includes('next')) return
  throw new CommandError(`The bridge at ${url} does not decide the steps of its runs, so they cannot be replayed.`, {
    fix: 'Replay against a bridge built with @trestle/core.',
  })
}

interface ReplayPlace {
  readonly client: BridgeClient
  readonly recordings: Recordings
  readonly isMasked: boolean
  /** Whether the run must exist. */
  readonly isRequired: boolean
  readonly signal: AbortSignal
}

async function replayOne(runId: string, place: ReplayPlace): Promise<ReplayedRun> {
  const { client, recordings, isMasked, isRequired, signal } = place
  const recording = await recordings.read(runId)
  if (!recording) {
    if (isRequired) throw new CommandError(`The environment has no run ${JSON.stringify(runId)}.`, { code: 'NotFound' })
    const reason = 'the service has removed it'
    return { runId, workflowId: '', outcome: 'not-comparable', reason, differences: [] }
  }
  const replayed = await replayRun(recording, { client, signal }).catch((error: unknown) => {
    throw toCommandError(error)
  })
  return isMasked ? maskRun(replayed, recording) : replayed
}

function maskRun(replayed: ReplayedRun, recording: RunRecording): ReplayedRun {
  const mask = createMask(recording)
  const { reason, differences } = replayed
  return {
    ...replayed,
    reason: reason === null ? null : mask.text(reason),
    differences: differences.map(mask.difference),
  }
}

interface Printed {
  readonly runs: readonly ReplayedRun[]
  readonly summary: ReplaySummary
  readonly bridgeUrl: string
}

function print({ flag, terminal }: CommandInput, { runs, summary, bridgeUrl }: Printed): void {
  const [only] = runs
  if (flag('json')) {
    terminal.printJson({ version: 1, bridgeUrl, ...(only ?? toSummaryJson(summary)) })
    return
  }
  const { paint } = terminal
  for (const line of only ? runLines(only, paint) : summaryLines(summary, paint)) terminal.print(line)
}
