import type { JsonObject } from '@trestle/protocol'
import { isObject, mergeObjects, readText, toObject } from '../../json/json.ts'
import type { Channel, Delivery } from '../base/delivery.ts'

/** The fields that are sent to a provider beside the message itself. */
export interface ProviderOverrides {
  /** Fields of the message in the provider's own names. */
  readonly fields: JsonObject
  /** Merged into the request's body as it is. */
  readonly body: JsonObject
  /** Added to the request's headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** Added to the request's query. */
  readonly query: Readonly<Record<string, string>>
}

/**
 * Returns what a provider's message is changed by. From the weakest: what the workflow's code returned for the provider,
 * then what the trigger said for the channel, for the provider, and for this step's provider.
 *
 * @param delivery - The delivery.
 * @param providerId - The provider.
 */
export function resolveOverrides(
  { job, run, providers }: Pick<Delivery, 'job' | 'run' | 'providers'>,
  providerId: string,
): ProviderOverrides {
  const { overrides } = run
  const layers = [
    toObject(providers)[providerId],
    omitMeta(overrides[job.type]),
    overrides[providerId],
    toObject(overrides['providers'])[providerId],
    toObject(stepOverrides(overrides, job.stepId)['providers'])[providerId],
  ].filter(isObject)
  const { _passthrough, ...fields } = mergeObjects(...layers)
  const { body, headers, query } = toObject(_passthrough)
  return { fields, body: toObject(body), headers: toTexts(headers, true), query: toTexts(query, false) }
}

/**
 * Returns the identifier of the integration a trigger asks for on a channel.
 *
 * @param overrides - The trigger's overrides.
 * @param channel - The channel.
 */
export function findWantedIntegration(overrides: JsonObject, channel: Channel): string | undefined {
  const byChannel = toObject(toObject(overrides['channels'])[channel])
  return readText(byChannel['integrationIdentifier']) ?? readText(toObject(overrides[channel])['integrationIdentifier'])
}

/**
 * Returns what a trigger says about one step.
 *
 * @param overrides - The trigger's overrides.
 * @param stepId - The step.
 */
export function stepOverrides(overrides: JsonObject, stepId: string): JsonObject {
  return toObject(toObject(overrides['steps'])[stepId])
}

/** A channel's overrides hold the provider's fields beside the choice of the integration and of the layout. */
function omitMeta(value: unknown): unknown {
  if (!isObject(value)) return undefined
  const { integrationIdentifier, layoutId, layoutIdentifier, ...fields } = value
  return fields
}

function toTexts(value: unknown, isLowercase: boolean): Readonly<Record<string, string>> {
  const entries = Object.entries(toObject(value)).filter(([, text]) =>
    ['string', 'number', 'boolean'].includes(typeof text),
  )
  return Object.fromEntries(entries.map(([name, text]) => [isLowercase ? name.toLowerCase() : name, String(text)]))
}
