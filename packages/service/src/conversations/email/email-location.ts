import type { ConversationRow } from '../../store/schema/agent.ts'

/** The integration for conversations by email: emails are sent through the environment's own email integration. */
export const emailIntegration = 'email'

/** The location of a conversation by email. */
export interface EmailLocation {
  /** The user's address. */
  readonly address: string
  /** The user's name; empty if there is none. */
  readonly name: string
  /** The agent's address. */
  readonly recipient: string
  /** The subject of the first email. */
  readonly subject: string
  /** The Message-ID of the user's last email. */
  readonly messageId?: string
  /** The Message-IDs of that email and all earlier ones, oldest first. */
  readonly references?: readonly string[]
}

/** Parses the location of a conversation by email. */
export function readEmailLocation({ platformContext }: Pick<ConversationRow, 'platformContext'>): EmailLocation {
  return JSON.parse(platformContext) as EmailLocation
}
