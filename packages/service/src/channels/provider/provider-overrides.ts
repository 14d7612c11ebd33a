import { isObject, type JsonObject, type MessageType } from '@trestle/protocol'
import { mergeObjects, readText, toObject } from '../../json/json.ts'
import type { Delivery } from '../base/delivery.ts'

/** Additional fields for a provider, besides the message itself. */
export interface ProviderOverrides {
  /** Message fields under the provider's own names. */
  readonly fields: JsonObject
  /** Merged into the request body unchanged. */
  readonly body: JsonObject
  /** Added to the request headers, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** Added to the request query. */
  readonly query: Readonly<Record<string, string>>
}

/**
 * Returns the overrides of a provider's message. In order of increasing priority: the workflow code's provider outputs,
 * then the trigger's overrides for the channel, for the provider, and for the step's provider.
 */
export function resolveOverrides(delivery: Changeable, providerId: string): ProviderOverrides {
  const layers = layersOf(delivery, providerId).map(({ value }) => value)
  const { _passthrough, ...fields } = mergeObjects(...layers.filter(isObject))
  const { body, headers, query } = toObject(_passthrough)
  return { fields, body: toObject(body), headers: toTexts(headers, true), query: toTexts(query, false) }
}

/** Returns one sentence per part of a provider's overrides that is ignored because of its type. */
export function findIgnored(delivery: Changeable, providerId: string): readonly string[] {
  const { run, job } = delivery
  const { providers, steps } = run.overrides
  const step = toObject(steps)[job.stepId]
  const layers = layersOf(delivery, providerId)
  const passed = mergeObjects(...layers.map(({ value }) => value).filter(isObject))[passthrough]
  const { body, headers, query } = toObject(passed)
  const objects: readonly Layer[] = [
    ...layers,
    ...toLayers({ providers, steps, [passthrough]: passed }),
    { name: `steps.${job.stepId}`, value: step },
    { name: `steps.${job.stepId}.providers`, value: toObject(step)['providers'] },
    ...toLayers({ body, headers, query }, `${passthrough}.`),
  ]
  const texts = [...toLayers(headers, `${passthrough}.headers.`), ...toLayers(query, `${passthrough}.query.`)]
  const isGiven = ({ value }: Layer): boolean => value !== undefined && value !== null
  const tell = ({ name, isOfStep }: Layer, wanted: string): string =>
    `${isOfStep ? 'The step output for' : 'The override'} "${name}" is ignored: it is not ${wanted}.`
  return [
    ...objects.filter((one) => isGiven(one) && !isObject(one.value)).map((one) => tell(one, 'an object')),
    ...texts.filter((one) => isGiven(one) && !isTextual(one.value)).map((one) => tell(one, 'a string')),
  ]
}

/**
 * Returns the identifier of the integration that a trigger names for a channel.
 *
 * @param overrides - The trigger's overrides.
 */
export function findWantedIntegration(overrides: JsonObject, channel: MessageType): string | undefined {
  const byChannel = toObject(toObject(overrides['channels'])[channel])
  return readText(byChannel['integrationIdentifier']) ?? readText(toObject(overrides[channel])['integrationIdentifier'])
}

/**
 * Returns the trigger's overrides for one step.
 *
 * @param overrides - The trigger's overrides.
 */
export function stepOverrides(overrides: JsonObject, stepId: string): JsonObject {
  return toObject(toObject(overrides['steps'])[stepId])
}

/** One source of overrides of a provider's message. */
interface Layer {
  readonly name: string
  readonly value: unknown
  /** Whether it comes from the workflow's code rather than from the trigger. */
  readonly isOfStep?: boolean
}

type Changeable = Pick<Delivery, 'job' | 'run' | 'providers'>

const passthrough = '_passthrough'

/** Returns the sources of overrides of a provider's message, in order of increasing priority. */
function layersOf({ job, run: { overrides }, providers }: Changeable, providerId: string): readonly Layer[] {
  const ofStep = toObject(stepOverrides(overrides, job.stepId)['providers'])[providerId]
  return [
    { name: providerId, value: toObject(providers)[providerId], isOfStep: true },
    { name: job.type, value: omitMeta(overrides[job.type], job.type) },
    { name: providerId, value: overrides[providerId] },
    { name: `providers.${providerId}`, value: toObject(overrides['providers'])[providerId] },
    { name: `steps.${job.stepId}.providers.${providerId}`, value: ofStep },
  ]
}

function toLayers(value: unknown, start = ''): readonly Layer[] {
  return Object.entries(toObject(value)).map(([name, one]) => ({ name: `${start}${name}`, value: one }))
}

const isTextual = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * A channel's overrides contain the provider's fields, in addition to the choices of integration, layout and feed. The
 * sender of an email is only an address there; the integration's sender name is kept.
 */
function omitMeta(value: unknown, channel: string): unknown {
  if (!isObject(value)) return value
  const { integrationIdentifier, layoutId, layoutIdentifier, feedId, ...fields } = value
  const { from } = fields
  const isAddress = channel === 'email' && typeof from === 'string' && /^[^\s<>,;:"]+@[^\s<>,;:"]+$/.test(from)
  return isAddress ? { ...fields, from: { address: from } } : fields
}

function toTexts(value: unknown, isLowercase: boolean): Readonly<Record<string, string>> {
  const entries = Object.entries(toObject(value)).filter(([, text]) => isTextual(text))
  return Object.fromEntries(entries.map(([name, text]) => [isLowercase ? name.toLowerCase() : name, String(text)]))
}
