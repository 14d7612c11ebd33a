const unreadable = 'the thrown value cannot be read'
const maxLength = 10_000

/** Text describing a thrown value. */
export interface Thrown {
  /** The message, or the value as text. */
  readonly message: string
  /** The stack, or the message if there is none. */
  readonly stack: string
}

/**
 * Describes any value that user code threw: an error, `undefined`, a frozen object, an object with throwing getters.
 * Never throws.
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

/** A frame of a stack: what precedes its location, and the location, such as `file:///app/index.js:12:3)`. */
const frame = /^(\s+at (?:async )?(?:[^/\\]* \()?)(.*)$/
const textPath = /(?:file:\/\/|(?<=^|[\s"'`(]))(?:[A-Za-z]:)?[\\/](?:[^\\/\s"'`():]+[\\/])+([^\\/\s"'`():]+)/gm

/** Removes folder paths from a stack, so that it reveals nothing about the machine. */
export function withoutPaths(stack: string): string {
  return stack
    .split('\n')
    .map((line) =>
      frame.test(line)
        ? line.replace(frame, (_line, start: string, location: string) => start + withoutFolders(location))
        : line.replace(textPath, '$1'),
    )
    .join('\n')
}

/** Modules of Node, such as `node:internal/timers`, are not files. */
function withoutFolders(location: string): string {
  if (location.startsWith('node:') || !/:\d/.test(location)) return location
  return location.slice(Math.max(location.lastIndexOf('/'), location.lastIndexOf('\\')) + 1)
}

/**
 * Returns a text that ends with exactly one full stop.
 *
 * @param text - A sentence, such as an error message from the app or a library.
 */
export function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
