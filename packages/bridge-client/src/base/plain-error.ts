import { toPlainText } from './plain-text.ts'

const maxFrames = 20

/**
 * Returns a copy of an error with only its name, message, code and stack frames. Node attaches the transmitted bytes or
 * the peer's certificate to its errors, which can contain the signature and the body.
 */
export function toPlainError(error: unknown): Error {
  const { name, message, code, stack } = fieldsOf(error)
  const copy = new Error(toPlainText(message))
  copy.name = toPlainText(name, 100)
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  copy.stack = [`${copy.name}: ${copy.message}`, ...frames.slice(0, maxFrames).map((frame) => toPlainText(frame))].join(
    '\n',
  )
  return code === '' ? copy : Object.assign(copy, { code: toPlainText(code, 100) })
}

/** Accesses are guarded: a thrown value can have getters that throw. */
function fieldsOf(error: unknown): { name: string; message: string; code: string; stack: string } {
  const read = (field: string): string => {
    try {
      const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined
      return typeof value === 'string' ? value : ''
    } catch {
      return ''
    }
  }
  const thrown = typeof error === 'object' || typeof error === 'function' ? '' : String(error)
  return {
    name: read('name') || 'Error',
    message: read('message') || thrown || 'no message',
    code: read('code'),
    stack: read('stack'),
  }
}
