/** Verbs that need a subject. */
const verb = /^(?:is|has|does|matches|cannot) /
/** A full stop would look like a part of the pattern. */
const patternMessage = /^must match the pattern /

/**
 * Returns the message of a validator as a sentence, in the words of the bridge.
 *
 * @param message - The message: `must be a number`.
 */
export function toIssueText(message: string): string {
  const text = verb.test(message) ? `This field ${message}` : message.charAt(0).toUpperCase() + message.slice(1)
  return patternMessage.test(message) || /[.!?]$/.test(text) ? text : `${text}.`
}
