import { createApiClient, isApiError } from '@trestle/api-client'
import { isObject, type WorkflowManifest } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import { createClient } from '../bridge/create-client.ts'
import { type BridgeProblem, describeFailure } from '../bridge/describe-failure.ts'
import { errorText } from '../catalogue/error-texts.ts'
import { CommandError } from '../terminal/command-error.ts'
import { callService, type ServiceAccess, toServiceError } from './service-access.ts'

/** The result of a sync. */
export interface Synced {
  /** Ids of all of the bridge's workflows in the environment after the sync. */
  readonly workflowIds: readonly string[]
  /** The previously synced manifests; undefined if the environment had no bridge. */
  readonly before: readonly WorkflowManifest[] | undefined
  /** The current manifests; undefined if the service does not return them. */
  readonly after: readonly WorkflowManifest[] | undefined
}

/** The codes for URLs that are rejected before connecting, by the reason that sync returns. */
const reasons: readonly (readonly [reason: string, code: string])[] = [
  ['invalid URL format', 'INVALID_URL'],
  ['scheme not allowed', 'UNSUPPORTED_SCHEME'],
  ['embedded credentials', 'CREDENTIALS_IN_URL'],
  ['private or reserved', 'PRIVATE_IP'],
  ['host not allowed', 'BLOCKED_HOSTNAME'],
]

/**
 * Syncs a bridge's workflows with a service.
 *
 * @param bridgeUrl - The bridge's address, as reachable from the service.
 * @throws {CommandError} The service cannot be reached or rejects the sync; `code` identifies the cause.
 * @source service-api.md#sync-errors
 */
export async function syncBridge(access: ServiceAccess, bridgeUrl: string, signal: AbortSignal): Promise<Synced> {
  const api = createApiClient({ secretKey: access.key, apiUrl: access.apiUrl, maxRetries: 0 })
  const change = await readChange(access, bridgeUrl, signal)
  try {
    const { data } = await api.bridge.sync({ body: { bridgeUrl } }, { signal })
    return { workflowIds: readIds(data), ...change }
  } catch (error) {
    if (!isApiError(error, 'BadRequest')) throw toServiceError(error, access)
    throw await explain(access, { bridgeUrl, message: error.message, signal })
  }
}

/**
 * Makes the service record why a bridge does not respond or rejects calls; the response is not needed.
 *
 * @param bridgeUrl - The bridge, as the service reaches it.
 * @throws When the signal aborts.
 */
export async function trySync(access: ServiceAccess, bridgeUrl: string, signal: AbortSignal): Promise<void> {
  const call = { method: 'POST', path: '/v1/studio/bridge/sync', body: { bridgeUrl }, signal }
  await callService(access, call).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
  })
}

/** Compares the environment with the bridge; undefined if the service does not support it. */
async function readChange(
  access: ServiceAccess,
  bridgeUrl: string,
  signal: AbortSignal,
): Promise<Pick<Synced, 'before' | 'after'>> {
  try {
    const answer = await callService(access, { method: 'POST', path: '/v1/bridge/diff', body: { bridgeUrl }, signal })
    const part = (name: string): readonly WorkflowManifest[] => {
      const side = isObject(answer) ? answer[name] : undefined
      return (isObject(side) && Array.isArray(side['workflows']) ? side['workflows'] : []) as WorkflowManifest[]
    }
    return { before: part('current'), after: part('new') }
  } catch (error) {
    if (!(error instanceof CommandError) || error.code === 'ConnectionFailed' || error.code === 'Unauthorized')
      throw error
    return { before: undefined, after: undefined }
  }
}

function readIds(rows: unknown): readonly string[] {
  const list = Array.isArray(rows) ? rows : []
  return list.flatMap((row: unknown) => {
    if (!isObject(row)) return []
    const [trigger] = Array.isArray(row['triggers']) ? row['triggers'] : []
    const id = isObject(trigger) ? trigger['identifier'] : (row['workflowId'] ?? row['identifier'] ?? row['name'])
    return typeof id === 'string' ? [id] : []
  })
}

interface Refused {
  readonly bridgeUrl: string
  readonly message: string
  readonly signal: AbortSignal
}

/**
 * Determines the code of a failed sync from its message, from the service's own check and from a direct call, because
 * sync returns only a message.
 */
async function explain(access: ServiceAccess, { bridgeUrl, message, signal }: Refused): Promise<CommandError> {
  const knownReason = message.startsWith('bridgeUrl:')
    ? reasons.find(([reason]) => message.includes(reason))?.[1]
    : undefined
  const known = knownReason ?? (await checkByService(access, bridgeUrl, signal))
  const { code, why, fix } =
    known === undefined ? await checkFromHere(access, bridgeUrl, signal) : toProblemOfService(known)
  return new CommandError(cleanText(message), {
    ...(code !== undefined && { code }),
    why: why ?? 'The service gave no details.',
    fix: fix ?? `Run trestle doctor ${bridgeUrl}.`,
  })
}

function toProblemOfService(code: string): Partial<BridgeProblem> {
  const { why = '', fix } = errorText(code) ?? {}
  return { code, why: `The service reports this, not this command. ${why}`.trim(), ...(fix && { fix }) }
}

async function checkByService(
  access: ServiceAccess,
  bridgeUrl: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = '/v1/bridge/validate'
  const answer = await callService(access, { method: 'POST', path, body: { bridgeUrl }, signal }).catch(() => undefined)
  const error = isObject(answer) ? answer['error'] : undefined
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined
}

async function checkFromHere(
  { key }: ServiceAccess,
  bridgeUrl: string,
  signal: AbortSignal,
): Promise<Partial<BridgeProblem>> {
  try {
    await createClient({ url: bridgeUrl, key }).discover({ signal })
    return {}
  } catch (error) {
    return describeFailure(error) ?? {}
  }
}
