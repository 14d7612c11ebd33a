import type { Reply, ReplyOptions } from '../../agent/reply-content.ts'
import { checkOptions } from '../../base/check-options.ts'

/** What a text of a reply is. */
export type Format = NonNullable<ReplyOptions['format']>

const formats: readonly unknown[] = ['text', 'markdown'] satisfies readonly Format[]
const replyRules = {
  format: { fits: (value: unknown) => formats.includes(value), form: `one of 'text' and 'markdown'` },
}

/**
 * Returns what a text is by the options of its reply. Content says itself what its texts are: an option that says it,
 * too, would be dropped.
 *
 * @param reply - What is replied.
 * @param options - The options.
 * @returns `undefined` where they do not say it.
 * @throws TypeError - There is no such option or format, or the reply is content.
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

/**
 * Returns whether a reply is a text that comes in parts.
 *
 * @param reply - What is replied.
 */
export function isStream(reply: Reply): reply is AsyncIterable<string> {
  return typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply
}
