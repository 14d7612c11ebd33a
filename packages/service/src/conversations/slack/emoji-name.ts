/** The emojis that agents use most, by Slack's names. */
const names: Readonly<Record<string, string>> = {
  ...{ '👍': '+1', '👎': '-1', '❤': 'heart', '👀': 'eyes', '✅': 'white_check_mark', '❌': 'x', '🎉': 'tada' },
  ...{ '🚀': 'rocket', '🙏': 'pray', '🔥': 'fire', '😀': 'grinning', '😄': 'smile', '😂': 'joy', '😢': 'cry' },
  ...{ '👋': 'wave', '👏': 'clap', '💯': '100', '⏳': 'hourglass_flowing_sand', '⚠': 'warning', '❓': 'question' },
  ...{
    '🤔': 'thinking_face',
    '😕': 'confused',
    '😍': 'heart_eyes',
    '🙌': 'raised_hands',
    '💡': 'bulb',
    '📦': 'package',
  },
}

/**
 * Returns the name by which Slack knows an emoji. Slack refuses what it has no name for.
 *
 * @param emoji - A name, with or without colons, or the emoji itself.
 */
export function toEmojiName(emoji: string): string {
  const plain = emoji.replaceAll('\ufe0f', '')
  return (Object.hasOwn(names, plain) ? names[plain] : undefined) ?? emoji.replaceAll(/^:|:$/g, '')
}

/**
 * Returns an emoji by Slack's name; the name itself where it is none of those that are known here.
 *
 * @param name - Slack's name.
 */
export function fromEmojiName(name: string): string {
  const known = name === 'thumbsup' ? '+1' : name === 'thumbsdown' ? '-1' : name
  return Object.entries(names).find(([, other]) => other === known)?.[0] ?? name
}
