import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Starts a subject in its own process, in production mode.
 *
 * @param {string} file - Relative to this folder.
 */
export function startSubject(file, args) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [...(process.env.SUBJECT_FLAGS?.split(' ') ?? []), path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${args.join(' ')} ended before it was asked to`)
    return value
  }
  return {
    /** Its output when it is ready. */
    ready: read(),
    /** Requests the next result. */
    async ask() {
      child.stdin.write('next\n')
      return Number(await read())
    },
    stop: () => child.stdin.end(),
  }
}
