import { closed, nullable, text } from '../../schema/object-schema.ts'
import type { StepKindRow } from './step-kind.ts'

/** The link that a recipient opens with a click. */
export interface Redirect {
  /** `https://...`, `http://...`, or a path that starts with a single `/`. */
  readonly url: string
  /** The link target. */
  readonly target?: '_self' | '_blank' | '_parent' | '_top' | '_unfencedTop' | undefined
}

/** A button in an in-app message. */
export interface InAppAction {
  /** The button's text. */
  readonly label: string
  /** The link of the button. */
  readonly redirect?: Redirect | undefined
}

/** The output of an in-app step's handler; a subject or a body is required. */
export type InAppOutput = InAppWithBody | InAppWithSubject

/** The output of an in-app step's handler, with a body. */
export interface InAppWithBody extends InAppFields {
  /** The body; can contain simple HTML. */
  readonly body: string
  /** The subject, as plain text. */
  readonly subject?: string | undefined
}

/** The output of an in-app step's handler, with a subject. */
export interface InAppWithSubject extends InAppFields {
  /** The subject, as plain text. */
  readonly subject: string
  /** The body; may contain simple HTML. */
  readonly body?: string | undefined
}

/** The fields of an in-app message other than its texts. */
export interface InAppFields {
  /** Absolute URL of an image. */
  readonly avatar?: string | undefined
  /** The main button. */
  readonly primaryAction?: InAppAction | undefined
  /** The other button. */
  readonly secondaryAction?: InAppAction | undefined
  /** The link of the message. */
  readonly redirect?: Redirect | undefined
  /** Custom fields, passed through unchanged. */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** The result of an in-app message for later steps. */
export interface InAppResult {
  /** Whether the recipient has seen it. */
  readonly seen: boolean
  /** Whether the recipient has read it. */
  readonly read: boolean
  /** When it was last seen, ISO 8601. */
  readonly lastSeenDate: string | null
  /** When it was last read, ISO 8601. */
  readonly lastReadDate: string | null
}

// A path that starts with two slashes (or a slash and a backslash) leads to a different host.
const redirectUrl = {
  type: 'string',
  pattern: '^(https?://[^\\s]+|/(?![/\\\\])[^\\s]*)$',
  errorMessage: 'must be a URL like "https://example.com/orders" or a path like "/orders"',
}
const redirect = closed(
  { url: redirectUrl, target: { enum: ['_self', '_blank', '_parent', '_top', '_unfencedTop'] } },
  ['url'],
)
const avatar = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s]+$',
  errorMessage: 'must be an absolute URL like "https://example.com/ada.png"',
}
const action = closed({ label: text, redirect }, ['label'])
const date = nullable({ type: 'string', format: 'date-time' })

/** Sends a message to the recipient's inbox. */
export const inApp: StepKindRow = {
  type: 'in_app',
  output: {
    ...closed({
      subject: { type: 'string', minLength: 1 },
      body: { type: 'string', minLength: 1 },
      avatar,
      primaryAction: action,
      secondaryAction: action,
      redirect,
      data: { type: 'object' },
    }),
    anyOf: [{ required: ['subject'] }, { required: ['body'] }],
  },
  result: closed({ seen: { type: 'boolean' }, read: { type: 'boolean' }, lastSeenDate: date, lastReadDate: date }, [
    'seen',
    'read',
    'lastSeenDate',
    'lastReadDate',
  ]),
  empty: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
  channel: 'inApp',
  html: 'body',
}
