import type { Reply, ReplyOptions } from '../../agent/reply-content.ts'
import { checkOptions } from '../../base/check-options.ts'

/** The format of a reply's text. */
export type Format = NonNullable<ReplyOptions['format']>

const formats: readonly unknown[] = ['text', 'markdown'] satisfies readonly Format[]
const replyRules = {
  format: { fits: (value: unknown) => formats.includes(value), form: `one of 'text' and 'markdown'` },
}

/**
 * Returns the format set by a reply's options. Content has separate fields for its formats, so the option is rejected
 * there.
 *
 * @returns `undefined` if the options do not set it.
 * @throws TypeError - An option or format is unknown, or the reply is content.
 */
export function toFormat(reply: Reply, options: ReplyOptions = {}): Format | undefined {
  checkOptions('reply()', options, replyRules)
  const { format } = options
  if (format !== undefined && typeof reply !== 'string' && !isStream(reply))
    throw new TypeError(
      'reply(): the option format is for text or a stream of text; content objects have the fields text and markdown.',
    )
  return format
}

/** Returns whether a reply is a text stream. */
export function isStream(reply: Reply): reply is AsyncIterable<string> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply
}
