import { closed, text } from '../../schema/object-schema.ts'
import type { StepKindRow } from './step-kind.ts'

/** The output of an email step's handler. */
export interface EmailOutput {
  /** The subject, as non-empty plain text. */
  readonly subject: string
  /** The body, as HTML. */
  readonly body: string
  /** The sender, if it differs from the provider's. */
  readonly from?:
    | {
        /** The address. */
        readonly email?: string | undefined
        /** The display name of the sender. */
        readonly name?: string | undefined
      }
    | undefined
  /** The reply address. */
  readonly replyTo?: string | undefined
  /** The preview text that mail clients display after the subject. */
  readonly preheader?: string | undefined
  /** Whether the provider sets the sender and reply address. */
  readonly useProviderDefaults?: boolean | undefined
}

export const email: StepKindRow = {
  type: 'email',
  output: closed(
    {
      subject: { type: 'string', minLength: 1 },
      body: text,
      from: closed({ email: text, name: text }),
      replyTo: text,
      preheader: text,
      useProviderDefaults: { type: 'boolean' },
    },
    ['subject', 'body'],
  ),
  empty: {},
  channel: 'email',
  html: 'body',
}
