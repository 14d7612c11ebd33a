import { type JsonObject, setOwn } from '@trestle/protocol'
import { toBase64 } from '../base/base64.ts'
import { isPlain, tagOf } from '../base/json.ts'

const maxDepth = 50

/** A position in a value that is converted to JSON. */
interface Place {
  /** The start of error messages about it, such as `message 0`. */
  readonly what: string
  readonly path: string
  readonly depth: number
  /** Whether JSON must preserve the value exactly; otherwise it is enough that the model sees the same. */
  readonly isExact: boolean
}

/**
 * Converts model messages to JSON that the AI SDK accepts again. Bytes become Base64, and URLs become strings. Values
 * with `toJSON`, such as dates, are converted with it, because the model sees the same result.
 *
 * @throws TypeError - They contain values that JSON cannot represent.
 */
export function toJsonMessages(messages: readonly object[]): JsonObject[] {
  return messages.map((message, index) => {
    const place = { what: `message ${index}`, path: '', depth: 0, isExact: false }
    return toJson(message, place) as JsonObject
  })
}

/**
 * Checks a tool input: the tool runs with the stored copy, so it must be preserved exactly.
 *
 * @throws TypeError - It contains values that JSON cannot represent, or would change.
 */
export function checkToolInput(toolName: string, input: unknown): void {
  if (input !== undefined) toJson(input, { what: `the input of tool "${toolName}"`, path: '', depth: 0, isExact: true })
}

function toJson(given: unknown, place: Place): unknown {
  if (given === null || typeof given === 'string' || typeof given === 'boolean' || Number.isFinite(given)) return given
  if (typeof given !== 'object') throw cannotCarry(given, place)
  if (place.depth > maxDepth)
    throw new TypeError(`replyFrom(): ${place.what} is nested deeper than ${maxDepth} levels.`)
  if (Array.isArray(given)) return Array.from(given, (item: unknown, index) => toJson(item, below(place, index)))
  if (!place.isExact) {
    const bytes = toBytes(given)
    if (bytes) return toBase64(bytes)
    const itself = (given as { readonly toJSON?: unknown }).toJSON
    if (typeof itself === 'function' && !isNoTime(given))
      return toJson(itself.call(given), { ...place, depth: place.depth + 1 })
  }
  // JSON omits the content of maps, errors and similar objects.
  if (tagOf(given) !== 'Object' || (place.isExact && !isPlain(given))) throw cannotCarry(given, place)
  const fields = {}
  for (const [name, value] of Object.entries(given))
    if (place.isExact || value !== undefined) setOwn(fields, name, toJson(value, below(place, name)))
  return fields
}

function below({ path, depth, ...place }: Place, key: string | number): Place {
  return { ...place, path: `${path}/${key}`, depth: depth + 1 }
}

/** Compares tags instead of classes, because test runners have their own copies of the classes. */
function toBytes(given: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  return tagOf(given) === 'ArrayBuffer' ? new Uint8Array(given as ArrayBuffer) : undefined
}

/** Returns whether a value is an invalid date, which JSON would turn into `null`. */
function isNoTime(given: object): boolean {
  return tagOf(given) === 'Date' && Number.isNaN((given as Date).getTime())
}

function cannotCarry(given: unknown, { what, path, isExact }: Place): TypeError {
  const kind = typeof given === 'object' && given !== null ? classOf(given) : typeof given
  const description = typeof given === 'number' ? `the number ${given}` : `a value of type ${kind}`
  const advice = isExact
    ? 'Let the schema of a tool that needs approval return plain JSON, and convert it in execute.'
    : 'Tools and messages may contain plain JSON, bytes and URLs.'
  return new TypeError(
    `replyFrom(): ${what} has ${description} at ${path === '' ? 'its root' : path}, which cannot be stored as JSON. ${advice}`,
  )
}

function classOf(given: object): string {
  const tag = tagOf(given)
  return tag === 'Object' ? String((given as { constructor?: { name?: unknown } }).constructor?.name ?? tag) : tag
}
