/** Returns a variable's value, or `undefined` when it is not set; `null` stands for a runtime without an environment. */
export type Environment = ((name: string) => string | undefined) | null

/**
 * The environment of the runtime, read anew at every call.
 *
 * @returns `null` where there is no `process.env`.
 */
export function findEnvironment(): Environment {
  // By computed key, so that no bundler puts the value of build time in its place.
  const { env } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {}
  return env ? (name) => env[name] : null
}
