import type { ConversationRow } from '../../store/schema/agent.ts'

/** The integration of conversations by mail: mails are sent through the environment's own email integration. */
export const emailIntegration = 'email'

/** The location of a conversation by mail. */
export interface EmailLocation {
  /** The user's address. */
  readonly address: string
  /** The user's name; empty if there is none. */
  readonly name: string
  /** The agent's address. */
  readonly recipient: string
  /** The subject of the first mail. */
  readonly subject: string
  /** The Message-ID of the user's last mail. */
  readonly messageId?: string
  /** The Message-IDs of that mail and all earlier ones, oldest first. */
  readonly references?: readonly string[]
}

/** Parses the location of a conversation by mail. */
export function readEmailLocation({ platformContext }: Pick<ConversationRow, 'platformContext'>): EmailLocation {
  return JSON.parse(platformContext) as EmailLocation
}
