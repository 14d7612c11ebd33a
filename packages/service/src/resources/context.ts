import { z } from 'zod'
import { channelType } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const context: z.ZodType = named('Context', 'A stored context.', {
  type: z.string().describe('The type, such as `tenant`.'),
  id: z.string().describe('The id, unique within its type.'),
  data: jsonRecord.describe('Custom data.'),
  bridgeUrl: z.string().optional().describe('A bridge of this context. It is stored, and not called.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const workspace: z.ZodType = named('Workspace', 'A workspace of a chat service.', {
  id: z.string().describe('The workspace id at the provider.'),
  name: z.string().optional().describe('The display name.'),
  botUserId: z.string().optional().describe('The id of the bot in the workspace.'),
})

export const workspaceAuth: z.ZodType = named('WorkspaceAuth', 'The tokens of a workspace.', {
  accessToken: z.string().describe('The access token.'),
  refreshToken: z.string().optional().describe('The refresh token.'),
  expiresAt: z.string().optional().describe('When the access token expires.'),
  refreshTokenExpiresAt: z.string().optional().describe('When the refresh token expires.'),
})

export const channelConnection: z.ZodType = named('ChannelConnection', 'A connection of a workspace to a channel.', {
  identifier: z.string().describe('The identifier.'),
  channel: channelType.nullable().describe('The channel; `null` if the integration has none.'),
  providerId: z.string().nullable().describe('The provider; `null` if the integration has none.'),
  integrationIdentifier: z.string().nullable().describe('The integration; `null` if it was deleted.'),
  subscriberId: z.string().nullable().describe('The subscriber it belongs to; `null` if it is shared.'),
  contextKeys: z.array(z.string()).describe('The contexts it applies to.'),
  workspace: workspace.describe('The workspace.'),
  auth: workspaceAuth.describe('The tokens.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const channelEndpoint: z.ZodType = named('ChannelEndpoint', 'An endpoint of a subscriber on a channel.', {
  identifier: z.string().describe('The identifier.'),
  channel: channelType.nullable().describe('The channel; `null` if the integration has none.'),
  providerId: z.string().nullable().describe('The provider; `null` if the integration has none.'),
  integrationIdentifier: z.string().nullable().describe('The integration; `null` if it was deleted.'),
  connectionIdentifier: z.string().nullable().describe('The connection; `null` if it needs none.'),
  subscriberId: z.string().nullable().describe('The subscriber; `null` if it was deleted.'),
  contextKeys: z.array(z.string()).describe('The contexts it applies to.'),
  type: z.string().describe('The type, such as `slack_channel`. A newer service may return more types.'),
  endpoint: jsonRecord.describe('The address; its fields depend on the type.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})
