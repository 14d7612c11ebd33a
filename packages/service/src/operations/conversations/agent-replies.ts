import { type AnyOperation, operation } from '../../context/operation.ts'
import { acceptReply } from '../../conversations/replies/accept-reply.ts'
import { replySchema } from '../../conversations/replies/reply-schema.ts'
import { agentReplyResult } from '../../resources/studio/conversations.ts'

export const agentReplyOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'agents.reply',
    access: 'edit',
    method: 'POST',
    path: '/v1/agents/{agentId}/conversations/{conversationId}/replies',
    summary: 'Applies a reply of an agent, once per idempotency key',
    category: 'global',
    wrapped: true,
    handlesIdempotency: true,
    body: replySchema,
    output: agentReplyResult,
    handler: ({ conversations, environment, header }, { params, body }) =>
      acceptReply(conversations, {
        environmentId: environment.id,
        agentId: params['agentId'] ?? '',
        conversationId: params['conversationId'] ?? '',
        idempotencyKey: header('idempotency-key'),
        reply: body,
      }),
  }),
])
