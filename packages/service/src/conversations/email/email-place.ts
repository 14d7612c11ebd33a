import type { ConversationRow } from '../../store/schema/agent.ts'

/** The integration that conversations by mail name: mails leave by the environment's own. */
export const emailIntegration = 'email'

/** The place of a conversation by mail. */
export interface EmailPlace {
  /** The person's address. */
  readonly address: string
  /** The person's name; empty if there is none. */
  readonly name: string
  /** The agent's address. */
  readonly recipient: string
  /** The subject of the first mail. */
  readonly subject: string
  /** The Message-ID of the person's last mail. */
  readonly messageId?: string
  /** The Message-IDs of the mails before it and its own, the first one first. */
  readonly references?: readonly string[]
}

/**
 * Reads the place of a conversation by mail.
 *
 * @param conversation - The conversation.
 */
export function readEmailPlace({ platformContext }: Pick<ConversationRow, 'platformContext'>): EmailPlace {
  return JSON.parse(platformContext) as EmailPlace
}
