import { BridgeClientError, BridgeSyncError } from '@trestle/bridge-client'
import { type DiscoverReply, isObject, type WorkflowManifest } from '@trestle/protocol'
import { checkManifests, findAgentFault, type ManifestFault } from './workflows/check-manifests.ts'

/** The part of a reply to `discover` that can be stored. */
export interface Discovered {
  readonly workflows: readonly WorkflowManifest[]
  /** The agents; `undefined` if the reply does not list them. */
  readonly agents: DiscoverReply['agents'] | undefined
  /** Whether the bridge decides the next steps of a run; `undefined` if the reply does not specify it. */
  readonly isLed: boolean | undefined
  /** Ids of failed workflows, which are left unchanged; `all` if a failed workflow has no id. */
  readonly stay: ReadonlySet<string> | 'all'
  /** The errors of the other workflows. */
  readonly error?: BridgeSyncError
}

const unstorable = { reason: 'the answer cannot be stored' }

/**
 * Returns the part of a reply to `discover` that can be stored.
 *
 * @throws {BridgeSyncError} The agents cannot be stored.
 */
export function toDiscovered(reply: DiscoverReply): Discovered {
  const { agents, capabilities } = reply as Partial<DiscoverReply>
  const fault = findAgentFault(agents)
  if (fault !== undefined) throw new BridgeSyncError(fault, unstorable)
  const { healthy, faults } = checkManifests(reply.workflows)
  const isLed = hasNext(capabilities)
  if (faults.length === 0) return { workflows: healthy, agents: agents ?? [], isLed, stay: new Set() }
  const error = new BridgeSyncError(faults.map(({ message }) => message).join(' '), unstorable)
  return { workflows: healthy, agents: agents ?? [], isLed, stay: toStay(faults), error }
}

/**
 * Returns the part of a failed `discover` that can be stored: the bridge's error contains the valid workflows and the
 * ids of the others.
 */
export function toPartlyDiscovered(error: BridgeSyncError): Discovered {
  const { cause, message } = error
  const data = cause instanceof BridgeClientError && isObject(cause.data) ? cause.data : {}
  const { workflows, errors, agents, capabilities } = data
  const failed = (Array.isArray(errors) ? errors : []).map((one): ManifestFault => {
    const workflowId = isObject(one) ? one['workflowId'] : undefined
    return { workflowId: typeof workflowId === 'string' ? workflowId : undefined, message: '' }
  })
  const { healthy, faults } = checkManifests(Array.isArray(workflows) ? workflows : [])
  const fullMessage = [withNames(message, failed), ...faults.map((one) => one.message)].join(' ')
  return {
    workflows: healthy,
    agents: Array.isArray(agents) && findAgentFault(agents) === undefined ? agents : undefined,
    isLed: capabilities === undefined ? undefined : hasNext(capabilities),
    stay: toStay([...failed, ...faults]),
    error: new BridgeSyncError(fullMessage, cause),
  }
}

function hasNext(capabilities: unknown): boolean {
  return Array.isArray(capabilities) && capabilities.includes('next')
}

function toStay(faults: readonly ManifestFault[]): Discovered['stay'] {
  const ids = faults.flatMap(({ workflowId }) => workflowId ?? [])
  return ids.length === faults.length ? new Set(ids) : 'all'
}

/**
 * Adds the ids of all failed workflows to an error message: the bridge's message describes only the first one, but its
 * data lists all of them.
 */
function withNames(message: string, failed: readonly ManifestFault[]): string {
  const names = failed.flatMap(({ workflowId }) => workflowId ?? [])
  if (names.every((name) => message.includes(name))) return message
  return `${message} Broken workflows: ${names.map((name) => `"${name}"`).join(', ')}.`
}
