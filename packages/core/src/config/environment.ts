import { isWorkers } from '../base/is-workers.ts'

/** Returns a variable's value, or `undefined` when it is not set; `null` stands for a runtime without an environment. */
export type Environment = ((name: string) => string | undefined) | null

/**
 * The environment of a call, read anew each time: what came with the call, else that of the process.
 *
 * @param bindings - What came with the call, such as the `env` of Cloudflare Workers. What is not text in it, or
 *   inherited, is not a variable.
 * @returns `null` where there are neither bindings nor a `process.env`.
 */
export function findEnvironment(bindings?: unknown): Environment {
  const env = findProcessEnv()
  if (typeof bindings !== 'object' || bindings === null) return env ? (name) => env[name] : null
  return (name) => {
    const bound: unknown = Object.hasOwn(bindings, name) ? Reflect.get(bindings, name) : undefined
    return typeof bound === 'string' ? bound : env?.[name]
  }
}

/**
 * Returns whether variables come with each call: the process has none, or only a copy of those. Nobody sets `NODE_ENV`
 * there to say that this is production.
 */
export function isEdge(): boolean {
  return isWorkers() || !findProcessEnv()
}

function findProcessEnv(): Readonly<Record<string, string | undefined>> | undefined {
  // By computed key, so that no bundler puts the value of build time in its place.
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env
}
