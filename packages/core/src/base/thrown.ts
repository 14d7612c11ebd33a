const unreadable = 'the thrown value cannot be read'
const maxLength = 10_000

/** Text describing a thrown value. */
export interface Thrown {
  /** The message, or the value as text. */
  readonly message: string
  /** The stack, or the message where there is none. */
  readonly stack: string
}

/**
 * Describes whatever user code threw: an error, `undefined`, a frozen object, an object whose getters throw.
 * Never throws.
 *
 * @param value - The thrown value.
 */
export function toThrown(value: unknown): Thrown {
  const message = readText(value, 'message') ?? show(value)
  return { message: message.slice(0, maxLength), stack: (readText(value, 'stack') ?? message).slice(0, maxLength) }
}

function readText(value: unknown, field: 'message' | 'stack'): string | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined
    const text: unknown = Reflect.get(value, field)
    return typeof text === 'string' && text !== '' ? text : undefined
  } catch {
    return undefined
  }
}

function show(value: unknown): string {
  try {
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null) return String(value)
    return JSON.stringify(value) ?? Object.prototype.toString.call(value)
  } catch {
    return unreadable
  }
}

const framePath = /(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:[^\\/\s():]+[\\/])*([^\\/\s():]+)(?=:\d+)/g
const textPath = /(?:file:\/\/|(?<=^|[\s"'`(]))(?:[A-Za-z]:)?[\\/](?:[^\\/\s"'`():]+[\\/])+([^\\/\s"'`():]+)/gm

/**
 * Takes the folders out of a stack, so that it tells nothing about the machine.
 *
 * @param stack - As the runtime wrote it.
 */
export function withoutPaths(stack: string): string {
  return stack
    .split('\n')
    .map((line) => (/^\s+at /.test(line) ? line.replace(framePath, '$1') : line.replace(textPath, '$1')))
    .join('\n')
}

/**
 * Returns a text that ends with one full stop, also where whoever wrote it has set one.
 *
 * @param text - A sentence, such as the message of an error of the app or of a library.
 */
export function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
