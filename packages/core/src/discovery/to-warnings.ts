import type { CodedError, Warning, WarningCode } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { ExploringRun } from './recording/recorded-run.ts'

/** Sources of a workflow's warnings. */
export interface WarningSources {
  readonly runs: readonly ExploringRun[]
  /** The failure if all runs failed; `undefined` if any run ended normally. */
  readonly failure: CodedError | undefined
  /** Groups of steps whose order depends on data. */
  readonly conflicts: readonly (readonly string[])[]
  /** Whether the same sample data led to different steps. */
  readonly isUnstable: boolean
  /** Whether the function cannot call any step other than those in its source. */
  readonly isComplete: boolean
  /** Steps in the source that no run has called. */
  readonly unreached: readonly string[]
}

const maxNamed = 5

/**
 * Returns warnings about a workflow for the app's developers, each with a suggested fix.
 *
 * @param workflow - The workflow to warn about.
 * @param sources - The results of discovery.
 */
export function toWarnings(workflow: RegisteredWorkflow, sources: WarningSources): readonly Warning[] {
  const { runs, failure, conflicts, isUnstable, isComplete, unreached } = sources
  const warnings: Warning[] = []
  const warn = (code: WarningCode, message: string): void => {
    if (!warnings.some((warning) => warning.message.endsWith(message)))
      warnings.push({ code, message: `Workflow "${workflow.id}": ${message}` })
  }
  if (failure)
    warnings.push({
      code: 'SampleRunsFailed',
      message: `${failure.message} Its steps are listed from the source text of the function.`,
    })
  const limited = runs.find((run) => run.end === 'limit')
  if (limited)
    warn('DiscoveryCutShort', endSentence(`a discovery run was stopped, because ${toThrown(limited.error).message}`))
  const hasNone = runs.every(({ calls }) => calls.length === 0)
  if (unreached.length > 0)
    warn(
      'StepNotReached',
      `no sample data reached ${toNames(unreached)}. The list only has the id and kind from the source text; controls are ` +
        `unknown until a run reaches the step. Add data that reaches it: workflow('${workflow.id}', …, { samples: [{ payload: { … } }] }).`,
    )
  else if (hasNone) warn('NoStepsFound', toNoSteps(workflow, runs))
  if (!isComplete && !hasNone)
    warn(
      'DiscoveryIncomplete',
      'other code calls its steps, or step ids are computed, so the list of steps may be incomplete. A service that runs ' +
        'only listed steps loses the others; run-driven execution does not. To complete the list, call step.…() in the workflow function with ' +
        'literal ids only.',
    )
  const misfits = toMisfits(workflow, runs)
  if (misfits) warn('SampleDoesNotFit', misfits)
  if (isUnstable)
    warn(
      'DiscoveryNotRepeatable',
      'it had different steps for the same data. Keep the clock, random values and I/O inside handlers.',
    )
  for (const ids of conflicts)
    warn(
      'StepOrderDependsOnData',
      `the order of the steps ${toNames(ids)} depends on data, so no list has all of them in the right order. ` +
        'Start them in one order, or give each order its own step ids.',
    )
  for (const run of runs) {
    for (const { id } of run.doubles)
      warn('StepIdRepeated', `step "${id}" was called twice for a list of several items. Step ids must not repeat.`)
    for (const { id, kind } of run.end === 'normal' ? run.unused : [])
      warn(
        'StepNotAwaited',
        `the ${kind} step "${id}" is started and not awaited, so nothing waits for it. Write: await step.${kind}('${id}', …).`,
      )
  }
  return warnings
}

function toMisfits({ id, options }: RegisteredWorkflow, runs: readonly ExploringRun[]): string | undefined {
  const places = new Set(options.samples ? [] : runs.flatMap(({ misfits }) => [...misfits]))
  if (places.size === 0) return undefined
  return (
    `the sample data for ${toNames([...places])} does not match the schema, because text for a pattern cannot be generated. Add an ` +
    `example to the schema, or samples: workflow('${id}', …, { samples: [{ payload: { … } }] }).`
  )
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
    return 'no sample data led to a step. Without a payloadSchema its conditions cannot be met: add one, or samples.'
  return (
    'no sample data led to a step. Add samples that meet its conditions, and an outputSchema to the steps whose results ' +
    'it reads.'
  )
}
