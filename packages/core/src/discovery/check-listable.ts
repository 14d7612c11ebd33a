import { CodedError, type Warning } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { StepKind } from '../workflow/steps/step-kinds.ts'
import type { DiscoveredStep } from './discovery.ts'

/** What steps do that a service that runs the listed steps cannot. */
const unlistableKinds: Readonly<Partial<Record<StepKind, string>>> = {
  waitForEvent: 'waits for an event',
  trigger: 'triggers a workflow',
}

/** Such a service ignores these options: it decides about a failed step by its own rules. */
const ignoredOptions = ['retries', 'backoff', 'onFailure'] as const

/**
 * Checks whether the bridge's service can run a workflow, if it runs the listed steps.
 *
 * @param steps - The workflow's discovered steps.
 * @param hasCancelOn - Whether events cancel its runs.
 * @returns Warnings about options that the service ignores.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: the service would reject the sync, or could not end a step.
 */
export function checkListable(
  { id, options, followsList }: RegisteredWorkflow,
  steps: readonly DiscoveredStep[],
  hasCancelOn: boolean,
): readonly Warning[] {
  if (!followsList) return []
  if (hasCancelOn) throw notListable(id, 'the option cancelOn cancels runs on events', 'option')
  for (const { call } of steps) {
    const unlistable = unlistableKinds[call.kind]
    if (unlistable !== undefined) throw notListable(id, `step "${call.id}" ${unlistable}`, 'step')
  }
  const owners = [
    { what: 'the workflow', options },
    ...steps.map(({ call }) => ({ what: `step "${call.id}"`, options: call.options })),
  ]
  const ignored = owners.flatMap(({ what, options: given }) => {
    const names = ignoredOptions.filter((name) => given[name] !== undefined)
    return names.length === 0 ? [] : [`${what} sets ${names.join(', ')}`]
  })
  if (ignored.length === 0) return []
  const message =
    `Workflow "${id}": ${ignored.join('; ')}. The service set with the option service ignores these options: it decides by its own ` +
    "rules whether a failed step is retried, and whether its run continues. Use Trestle's service, or remove the options."
  return [{ code: 'FailureOptionsIgnored', message }]
}

function notListable(workflowId: string, what: string, part: 'step' | 'option'): CodedError {
  const message =
    `Workflow "${workflowId}": ${what}. The service set with the option service cannot do that: it only runs the listed steps. ` +
    `Use Trestle's service, or remove the ${part}.`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] } })
}
