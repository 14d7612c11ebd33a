import { readFileSync } from 'node:fs'

/** Returns the version of the package. */
export function version(): string {
  const file = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return file.version
}
