import { CodedError, capabilities, type ErrorReply, type WorkflowManifest } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { duplicateAgent, duplicateWorkflow, type Registry } from '../bridge/registry.ts'
import type { Deadline } from '../call/deadline.ts'
import { startDiscovery, toDiscoveryFailure } from './discover-workflow.ts'
import type { Discovery } from './discovery.ts'
import { peekDiscovery } from './known-discoveries.ts'
import { toManifest } from './to-manifest.ts'

type Found = { readonly manifest: WorkflowManifest; readonly text: string } | { readonly failure: CodedError }

interface Failed {
  readonly named: { readonly workflowId: string } | { readonly agentId: string }
  readonly failure: CodedError
}

/**
 * Publishes all workflows and agents. The reply is built only once. While any workflow fails, the reply is rebuilt for
 * each call. The error data lists the valid workflows, because the service deletes workflows that are missing from a
 * successful reply. Workflows are discovered in sequence, so that they do not slow each other down; the next one starts
 * early only while a function waits for anything other than steps.
 *
 * @param registry - The state of the bridge.
 * @param deadline - The deadline of the call.
 * @returns The response body, as JSON.
 * @throws CodedError - The first failure, in registration order.
 * @source bridge-protocol.md#replies
 */
export async function discover(registry: Registry, deadline: Deadline): Promise<string> {
  if (registry.manifest !== undefined) return registry.manifest
  const workflows = [...registry.workflows.values()]
  const resultsById = new Map<string, Found>()
  await deadline.within(discoverAll(registry, { workflows, resultsById }))
  const results = workflows.map((workflow) => resultsById.get(workflow.id) ?? { failure: late(workflow.id, deadline) })
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
    registry.manifest = manifest
    return manifest
  }
  // A further call helps only if every failure is a lack of time.
  const continues = failures.length === workflows.length - resultsById.size || undefined
  throw toCombined(first.failure, failures, { workflows: manifests, continues })
}

interface Round {
  readonly workflows: readonly RegisteredWorkflow[]
  /** The results by workflow id. */
  readonly resultsById: Map<string, Found>
}

async function discoverAll(registry: Registry, { workflows, resultsById }: Round): Promise<void> {
  const all: Promise<unknown>[] = []
  for (const workflow of workflows) {
    const existingDiscovery = workflow.duplicate ? undefined : peekDiscovery(workflow)
    const started = workflow.duplicate || existingDiscovery ? undefined : startDiscovery(workflow)
    const done = discoverOne(registry, workflow, existingDiscovery ?? started?.discovery).then((one) =>
      resultsById.set(workflow.id, one),
    )
    all.push(done)
    await Promise.race([done, ...(started ? [started.io] : [])])
  }
  await Promise.all(all)
}

async function discoverOne(
  registry: Registry,
  workflow: RegisteredWorkflow,
  pendingDiscovery: Discovery | Promise<Discovery> | undefined,
): Promise<Found> {
  try {
    const discovery = await pendingDiscovery
    if (!discovery) throw duplicateWorkflow(workflow.id)
    // Warnings about the step list are for services that use it, and for developers.
    const relevantWarnings = discovery.warnings.filter(({ code }) => code !== 'DiscoveryIncomplete')
    for (const { code, message } of relevantWarnings) registry.notices.once(message, code)
    const manifest = await toManifest(workflow, discovery, registry.settings)
    // Serialized here, so that an error affects only this workflow.
    return { manifest, text: JSON.stringify(manifest) }
  } catch (error) {
    return { failure: toDiscoveryFailure(workflow.id, error) }
  }
}

/**
 * Returns the error for a workflow that was not discovered in time. The function itself may be fine: one that never
 * ends fails separately.
 */
function late(id: string, { timeoutMs }: Deadline): CodedError {
  const message = `Workflow "${id}" could not be discovered in time (${timeoutMs} ms). Discovery continues: call discover again.`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] } })
}

function toCombined(
  first: CodedError,
  failures: readonly Failed[],
  rest: { readonly workflows: readonly WorkflowManifest[]; readonly continues: true | undefined },
): CodedError {
  const errors = failures.map(({ named, failure: { code, message, data } }): ErrorReply & Failed['named'] => ({
    ...named,
    code,
    message,
    data,
  }))
  return new CodedError(first.code, first.message, {
    data: { ...first.data, errors, ...rest, capabilities },
    cause: first.cause,
  })
}
