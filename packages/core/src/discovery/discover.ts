import { CodedError, capabilities, type ErrorReply, type WorkflowManifest } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { duplicateAgent, duplicateWorkflow, type Registry } from '../bridge/registry.ts'
import type { Deadline } from '../call/deadline.ts'
import { discoverWorkflow, toDiscoveryFailure } from './discover-workflow.ts'
import { toManifest } from './to-manifest.ts'

type Found =
  | { readonly manifest: WorkflowManifest; readonly text: string; readonly isFinal: boolean }
  | { readonly failure: CodedError }

interface Failed {
  readonly named: { readonly workflowId: string } | { readonly agentId: string }
  readonly failure: CodedError
}

/**
 * Publishes all workflows and agents. The reply is built once; while a workflow fails or runs out of time it is rebuilt, with the healthy ones beside
 * the failures, because the service deletes what is missing from a successful answer.
 *
 * @param registry - The bridge.
 * @param deadline - When the call must have been answered.
 * @returns The body of the answer, JSON.
 * @throws CodedError - The first failure, in registration order.
 * @source Protocol, "Replies" and "Errors".
 */
export async function discover(registry: Registry, deadline: Deadline): Promise<string> {
  if (registry.manifest !== undefined) return registry.manifest
  const workflows = [...registry.workflows.values()]
  const found = new Map<string, Found>()
  const all = Promise.all(
    workflows.map(async (workflow) => found.set(workflow.id, await discoverOne(registry, workflow))),
  )
  await deadline.within(all)
  const results = workflows.map((workflow) => found.get(workflow.id) ?? { failure: late(workflow) })
  const manifests = results.flatMap((result) => ('manifest' in result ? [result.manifest] : []))
  const failures: Failed[] = workflows.flatMap(({ id }, index) => {
    const result = results[index]
    return result && 'failure' in result ? [{ named: { workflowId: id }, failure: result.failure }] : []
  })
  for (const agentId of registry.duplicateAgents)
    failures.push({ named: { agentId }, failure: duplicateAgent(agentId) })
  const [first] = failures
  if (!first) {
    const texts = results.flatMap((result) => ('text' in result ? [result.text] : []))
    const agents = JSON.stringify([...registry.agents.keys()].map((agentId) => ({ agentId })))
    const manifest = `{"workflows":[${texts.join(',')}],"agents":${agents},"capabilities":${JSON.stringify(capabilities)}}`
    // What ran out of time is tried again by the next call.
    if (results.every((result) => 'isFinal' in result && result.isFinal)) registry.manifest = manifest
    return manifest
  }
  throw toCombined(first.failure, failures, manifests)
}

async function discoverOne(registry: Registry, workflow: RegisteredWorkflow): Promise<Found> {
  try {
    if (workflow.duplicate) throw duplicateWorkflow(workflow.id)
    const discovery = await discoverWorkflow(workflow, { repeatsLate: true })
    for (const { code, message } of discovery.warnings) registry.notices.once(message, code)
    const manifest = await toManifest(workflow, discovery, registry.settings)
    // Printed here, so that what cannot be printed is this workflow's fault alone.
    return { manifest, text: JSON.stringify(manifest), isFinal: !discovery.isLate || !discovery.awaitsOnlySteps }
  } catch (error) {
    return { failure: toDiscoveryFailure(workflow.id, error) }
  }
}

function late({ id }: RegisteredWorkflow): CodedError {
  const message = `Workflow "${id}" could not be discovered in time: its function did not end.`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] } })
}

function toCombined(
  first: CodedError,
  failures: readonly Failed[],
  workflows: readonly WorkflowManifest[],
): CodedError {
  const errors = failures.map(({ named, failure: { code, message, data } }): ErrorReply & Failed['named'] => ({
    ...named,
    code,
    message,
    data,
  }))
  return new CodedError(first.code, first.message, {
    data: { ...first.data, errors, workflows, capabilities },
    cause: first.cause,
  })
}
