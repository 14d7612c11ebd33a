import { ownEntry } from '../../base/own-entry.ts'

const emojisByName: Readonly<Record<string, string>> = {
  '+1': '👍',
  thumbsup: '👍',
  '-1': '👎',
  thumbsdown: '👎',
  heart: '❤️',
  tada: '🎉',
  eyes: '👀',
  white_check_mark: '✅',
  x: '❌',
  pray: '🙏',
  rocket: '🚀',
  fire: '🔥',
  smile: '😄',
  joy: '😂',
  thinking_face: '🤔',
  wave: '👋',
  warning: '⚠️',
  hourglass: '⌛',
  question: '❓',
  100: '💯',
}

/** The offered reactions, named as on chat platforms. */
export const offeredEmojis: readonly string[] = ['+1', '-1', 'heart', 'tada', 'eyes', 'white_check_mark']

/**
 * Returns the emoji with a known name; other names are returned unchanged.
 *
 * @param emoji - The emoji's name, or the emoji itself.
 */
export function showEmoji(emoji: string): string {
  const name = emoji.replaceAll(/^:|:$/g, '')
  const own = ownEntry(emojisByName, name)
  if (own !== undefined) return own
  return /^[\w+-]+$/.test(name) ? `:${name}:` : emoji
}
