import { InboxError } from '../base/inbox-error.ts'

/** The subscriber whose messages are shown. */
export interface InboxSubscriber {
  /** The subscriber's id in your app. */
  readonly subscriberId: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly avatar?: string
  readonly locale?: string
  readonly timezone?: string
}

/** Options of `createInbox`. */
export interface InboxOptions {
  /** The public identifier of the environment. */
  readonly applicationIdentifier: string
  /** The subscriber or their id. */
  readonly subscriber: string | InboxSubscriber
  /** The hash of the subscriber id, computed on your server. Required, except in Development. */
  readonly subscriberHash?: string | undefined
  /** URL of the notification service, such as `https://notifications.example.com`. */
  readonly url: string
}

/**
 * Returns the options with a URL to which paths can be appended.
 *
 * @throws InboxError `OptionsInvalid` if an option is missing or invalid.
 */
export function checkOptions(options: InboxOptions): InboxOptions {
  const { applicationIdentifier, subscriber, url } = options
  const id = typeof subscriber === 'string' ? subscriber : subscriber?.subscriberId
  const refuse = (name: string, advice: string): never => {
    throw new InboxError('OptionsInvalid', `\`${name}\` of the inbox ${advice}.`)
  }
  if (typeof applicationIdentifier !== 'string' || applicationIdentifier === '')
    refuse('applicationIdentifier', 'is missing. It is the public identifier of the environment')
  if (typeof id !== 'string' || id === '')
    refuse('subscriber', 'must be a subscriber id or an object with `subscriberId`')
  if (!/^https?:\/\//.test(String(url))) refuse('url', 'must be the http(s) URL of the notification service')
  return { ...options, url: url.replace(/\/+$/, '') }
}
