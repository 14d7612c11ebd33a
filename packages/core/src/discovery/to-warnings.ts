import type { Warning, WarningCode } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { Exploration, ExploringRun } from './exploring/explore.ts'
import { seesLiterals } from './step-conflicts.ts'
import { tellsAllSteps } from './written/unreached-steps.ts'

/** Sources of the warnings of a workflow. */
export interface WarningSources extends Pick<Exploration, 'runs' | 'cut'> {
  /** Groups of steps whose order depends on data. */
  readonly conflicts: readonly (readonly string[])[]
  /** Whether time was short. */
  readonly isLate: boolean
  /** Whether the same sample data gave other steps. */
  readonly isUnstable: boolean
  /** Step ids that are made of data. */
  readonly idsOfData: readonly string[]
  /** Steps that stand in the source text, and that no run called. */
  readonly unreached: readonly string[]
}

const maxNamed = 5

/**
 * Returns what the developers of an app should know of a workflow, each with its cure.
 *
 * @param workflow - The workflow.
 * @param sources - What discovery has found out.
 */
export function toWarnings(workflow: RegisteredWorkflow, sources: WarningSources): readonly Warning[] {
  const { runs, cut, isLate, conflicts, isUnstable, idsOfData, unreached } = sources
  const found: Warning[] = []
  const warn = (code: WarningCode, message: string): void => {
    if (!found.some((warning) => warning.message.endsWith(message)))
      found.push({ code, message: `Workflow "${workflow.id}": ${message}` })
  }
  const limited = runs.find((run) => run.end === 'limit')
  if (limited)
    warn(
      'DiscoveryCutShort',
      endSentence(`a run at discovery was cut short, because ${toThrown(limited.error).message}`),
    )
  if (runs.every(({ calls }) => calls.length === 0)) warn('NoStepsFound', toNoSteps(workflow, runs))
  const mayMiss = (isLate || cut) && !(unreached.length === 0 && tellsAllSteps(workflow, runs))
  if (mayMiss && isLate)
    warn(
      'DiscoveryIncomplete',
      `discovery ran out of time after ${runs.length} runs, as it may in a busy process; some conditional steps may be ` +
        'missing. The next discover goes on from there: sync again.',
    )
  else if (mayMiss) warn('DiscoveryIncomplete', toIncomplete(runs))
  if (unreached.length > 0)
    warn(
      'DiscoveryIncomplete',
      `no sample data led to ${toNames(unreached)}: written in the function, and listed only after a real run. Give the ` +
        'data that decides examples or an enum; what comes from elsewhere, ask for in a step.custom. Where a setting of ' +
        'the code decides, as in a function that makes workflows, nothing is missing.',
    )
  if (isUnstable)
    warn(
      'DiscoveryNotRepeatable',
      'it had other steps for the same data. Keep clock, random and I/O inside of handlers.',
    )
  for (const ids of conflicts)
    warn(
      'StepOrderDependsOnData',
      `the order of the steps ${toNames(ids)} depends on data, so that no list of steps has them all in their order. ` +
        'Start them in one order, or give each order step ids of its own.',
    )
  for (const run of runs) {
    for (const { id } of seesLiterals(run) ? [] : run.doubles)
      warn('StepIdRepeated', `step "${id}" was called twice for a list of several items. Step ids must not repeat.`)
    for (const { id, kind } of run.end === 'normal' ? run.unused : [])
      warn(
        'StepNotAwaited',
        `the ${kind} step "${id}" is started and not awaited, so nothing waits for it. Write: await step.${kind}('${id}', …).`,
      )
  }
  const made = isUnstable ? [] : idsOfData
  if (made.length > 0)
    warn(
      'StepIdFromData',
      `the step ids ${toNames(made)} are made of data. The service can only ask for ids that discovery lists, so real ` +
        'data would lose these steps. Write fixed ids, and put the data into what the handler returns.',
    )
  return found
}

function toNames(ids: readonly string[]): string {
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''
  return `${ids
    .slice(0, maxNamed)
    .map((id) => `"${id}"`)
    .join(', ')}${more}`
}

function toNoSteps({ options }: RegisteredWorkflow, runs: readonly ExploringRun[]): string {
  if (!runs.some(({ reads }) => reads.size > 0))
    return 'its function started no step. Does it call step.email or another?'
  if (!options.payloadSchema && runs.some(({ seen }) => seen.payload))
    return 'no sample data led to a step. Without a payloadSchema nobody knows what its conditions compare: add one.'
  return (
    'no sample data led to a step. Give the schemas examples or enums that meet its conditions, and the steps whose ' +
    'results it reads an outputSchema.'
  )
}

function toIncomplete(runs: readonly ExploringRun[]): string {
  return runs.some(({ awaitedIo }) => awaitedIo)
    ? 'some conditional steps may be missing, since a function that waits for more than steps is run four times at most. ' +
        'Put I/O into step.custom.'
    : `it depends on more data than the ${runs.length} runs of discovery can try; some conditional steps may be missing. ` +
        'Read less data outside of handlers, or split the workflow.'
}
