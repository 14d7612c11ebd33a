import { z } from 'zod'
import { channelType } from './channel.ts'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

export const context: z.ZodType = named('Context', 'A stored context.', {
  type: z.string().describe('The type, such as `tenant`.'),
  id: z.string().describe('The id, unique within its type.'),
  data: jsonRecord.describe('Free fields.'),
  bridgeUrl: z.string().optional().describe('The bridge that is called in this context.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const workspace: z.ZodType = named('Workspace', 'A workspace of a chat service.', {
  id: z.string().describe("The service's id of it."),
  name: z.string().optional().describe('Name for people.'),
  botUserId: z.string().optional().describe("The service's bot in it."),
})

export const workspaceAuth: z.ZodType = named('WorkspaceAuth', 'The tokens of a workspace.', {
  accessToken: z.string().describe('The access token.'),
  refreshToken: z.string().optional().describe('The refresh token.'),
  expiresAt: z.string().optional().describe('When the access token ends.'),
  refreshTokenExpiresAt: z.string().optional().describe('When the refresh token ends.'),
})

export const channelConnection: z.ZodType = named('ChannelConnection', 'A connection of a workspace to a channel.', {
  identifier: z.string().describe('Its own identifier.'),
  channel: channelType.nullable().describe('The channel; `null` where the integration has none.'),
  providerId: z.string().nullable().describe('The provider; `null` where the integration has none.'),
  integrationIdentifier: z.string().nullable().describe('The integration; `null` where it is gone.'),
  subscriberId: z.string().nullable().describe('The subscriber it belongs to; `null` where it is shared.'),
  contextKeys: z.array(z.string()).describe('The contexts it applies to.'),
  workspace: workspace.describe('The workspace.'),
  auth: workspaceAuth.describe('The tokens.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})

export const channelEndpoint: z.ZodType = named('ChannelEndpoint', 'An endpoint of a subscriber on a channel.', {
  identifier: z.string().describe('Its own identifier.'),
  channel: channelType.nullable().describe('The channel; `null` where the integration has none.'),
  providerId: z.string().nullable().describe('The provider; `null` where the integration has none.'),
  integrationIdentifier: z.string().nullable().describe('The integration; `null` where it is gone.'),
  connectionIdentifier: z.string().nullable().describe('The connection; `null` where it needs none.'),
  subscriberId: z.string().nullable().describe('The subscriber; `null` where it is gone.'),
  contextKeys: z.array(z.string()).describe('The contexts it applies to.'),
  type: z.string().describe('The type. A newer service may know more than {@link EndpointType}.'),
  endpoint: jsonRecord.describe('The address; its fields depend on the type.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
})
