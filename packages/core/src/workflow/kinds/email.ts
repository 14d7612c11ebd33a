import { closed, text } from '../../schema/object-schema.ts'
import type { ChannelStep } from './signature.ts'
import type { StepKindRow } from './step-kind.ts'

/** The output of an email step's handler. */
export interface EmailOutput {
  /** The subject, as plain text, not empty. */
  readonly subject: string
  /** The body, as HTML. */
  readonly body: string
  /** The sender, if it differs from the provider's. */
  readonly from?:
    | {
        /** The address. */
        readonly email?: string | undefined
        /** The name that mail clients show. */
        readonly name?: string | undefined
      }
    | undefined
  /** The reply address. */
  readonly replyTo?: string | undefined
  /** The preview line that mail clients show after the subject. */
  readonly preheader?: string | undefined
  /** Leaves sender and reply address to the provider. */
  readonly useProviderDefaults?: boolean | undefined
}

export const email: StepKindRow<ChannelStep<'email', EmailOutput>> = {
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
