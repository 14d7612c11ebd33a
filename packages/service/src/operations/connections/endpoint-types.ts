import { isObject, type JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { describeInput, jsonMap, webAddress } from '../../api/input.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import { toObject } from '../../json/json.ts'
import { optionalPart, part } from './connection-parts.ts'

const address = webAddress(4000)
const region = z.enum(['us', 'eu'], 'must be us or eu')

const endpoints: Readonly<Record<string, z.ZodType<JsonObject>>> = {
  slack_channel: z.strictObject({ channelId: part }),
  slack_user: z.strictObject({ userId: part }),
  webhook: z.strictObject({ url: address, channel: optionalPart }),
  phone: z.strictObject({ phoneNumber: part }),
  ms_teams_channel: z.strictObject({ teamId: part, channelId: part }),
  ms_teams_user: z.strictObject({ userId: part }),
  telegram_chat: z.strictObject({ chatId: part }),
  webex_room: z.strictObject({ roomId: part, parentId: optionalPart }),
  webex_person: z.strictObject({ personId: optionalPart, personEmail: optionalPart }),
  line_user: z.strictObject({ userId: part }),
  pagerduty_service: z.strictObject({ routingKey: part, region }),
  opsgenie_integration: z.strictObject({ apiKey: part, region }),
  grafana_oncall_integration: z.strictObject({ url: address, authToken: optionalPart }),
  tool_webhook: z.strictObject({
    url: address,
    headers: jsonMap(z.string(), z.string()).optional(),
    method: z.enum(['POST', 'PUT', 'PATCH'], 'must be POST, PUT or PATCH').optional(),
  }),
}

export const endpointTypes: readonly string[] = Object.freeze(Object.keys(endpoints))

/** JSON Schemas for the address of each endpoint type. */
export const endpointChoices: readonly JsonObject[] = Object.freeze(
  Object.entries(endpoints).map(([type, endpoint]) => describeInput(z.object({ type: z.literal(type), endpoint }))),
)

const secretFields: ReadonlySet<string> = new Set(['routingKey', 'apiKey', 'authToken'])
/** Fields whose values are secret, but not their names. */
const secretMaps: ReadonlySet<string> = new Set(['headers'])

/**
 * Parses the address of an endpoint.
 *
 * @throws {ApiError} 422 if it does not match the type.
 */
export function parseEndpoint(type: string, endpoint: JsonObject): JsonObject {
  const result = endpoints[type]?.safeParse(endpoint)
  if (!result) throw invalid('type', `must be one of ${endpointTypes.join(', ')}`)
  const [issue] = result.error?.issues ?? []
  if (issue) throw invalid(['endpoint', ...issue.path.map(String)].join('.'), issue.message)
  const values = Object.values(endpoint).flatMap((value) => (isObject(value) ? Object.values(value) : [value]))
  if (values.includes(secretMask)) throw invalid('endpoint', 'contains the mask of a secret')
  return endpoint
}

/** Returns the address of an endpoint with its secrets masked. */
export function maskEndpoint(endpoint: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(endpoint).map(([name, value]) => {
      if (secretMaps.has(name)) return [name, maskAll(toObject(value))]
      return [name, secretFields.has(name) ? secretMask : value]
    }),
  )
}

const maskAll = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(values).map((name) => [name, secretMask]))
