/** Common emojis, by Slack's names. */
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
 * Returns Slack's name for an emoji. Slack rejects emojis without a name.
 *
 * @param emoji - A name, with or without colons, or the emoji itself.
 */
export function toEmojiName(emoji: string): string {
  const plain = emoji.replaceAll('\ufe0f', '')
  return (Object.hasOwn(names, plain) ? names[plain] : undefined) ?? emoji.replaceAll(/^:|:$/g, '')
}

/** Returns the emoji with a Slack name, or the name itself if it is unknown. */
export function fromEmojiName(name: string): string {
  const canonicalName = name === 'thumbsup' ? '+1' : name === 'thumbsdown' ? '-1' : name
  return Object.entries(names).find(([, other]) => other === canonicalName)?.[0] ?? name
}
