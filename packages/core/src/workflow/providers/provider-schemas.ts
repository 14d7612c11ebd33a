import type { JsonObject } from '@trestle/protocol'
import { closed } from '../../schema/object-schema.ts'
import type { ChannelKind } from './channel-kind.ts'
import { emailProviders } from './email-fields.ts'
import { providerIds } from './provider-ids.ts'
import { pushProviders } from './push-fields.ts'
import { chatProviders, inAppProviders, smsProviders } from './text-fields.ts'

const knownFields: Readonly<Record<ChannelKind, Readonly<Record<string, JsonObject>>>> = {
  email: emailProviders,
  sms: smsProviders,
  push: pushProviders,
  chat: chatProviders,
  inApp: inAppProviders,
  tool: {},
}

const texts = { type: 'object', additionalProperties: { type: 'string' } }
const passthrough = closed({ body: { type: 'object' }, headers: texts, query: texts })
const providerCache = new Map<string, { readonly schema: JsonObject }>()

/**
 * Finds a provider and the shape of its overrides: the documented fields if known, otherwise any field, and always
 * `_passthrough`.
 *
 * @param id - The provider's id, as entered by the user.
 * @returns `undefined` if the channel has no such provider.
 */
export function findProvider(kind: ChannelKind, id: string): { readonly schema: JsonObject } | undefined {
  const ids: readonly string[] = providerIds[kind]
  if (!ids.includes(id)) return undefined
  const key = `${kind} ${id}`
  const provider = providerCache.get(key) ?? { schema: schemaOf(knownFields[kind], id) }
  providerCache.set(key, provider)
  return provider
}

function schemaOf(fields: Readonly<Record<string, JsonObject>>, id: string): JsonObject {
  const own = (Object.hasOwn(fields, id) && fields[id]) || { type: 'object' }
  const properties = { ...(own['properties'] as JsonObject | undefined), _passthrough: passthrough }
  return { ...own, properties }
}
