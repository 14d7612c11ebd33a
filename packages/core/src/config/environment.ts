import { isWorkers } from '../base/is-workers.ts'

/** Returns a variable's value, or `undefined` if it is not set; `null` stands for a runtime without an environment. */
export type Environment = ((name: string) => string | undefined) | null

/**
 * Returns the environment of a call: the variables passed with it, otherwise those of the process, read on each access.
 *
 * @param bindings - Variables passed with the call, such as `env` on Cloudflare Workers. Inherited and non-string
 * properties are ignored.
 * @returns `null` if there are neither bindings nor a `process.env`.
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
 * Returns whether the platform passes variables with each call: the process has none, or only a copy. Such platforms do
 * not set `NODE_ENV` in production.
 */
export function isEdge(): boolean {
  return isWorkers() || !findProcessEnv()
}

function findProcessEnv(): Readonly<Record<string, string | undefined>> | undefined {
  // A computed key, so that no bundler inlines the value at build time.
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env
}
