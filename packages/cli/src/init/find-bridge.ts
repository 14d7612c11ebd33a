import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const adapters = 'express|fastify|h3|hono|koa|lambda|nest|next|react-router|sveltekit'
const adapter = new RegExp(`(?:from|require\\(|import\\()\\s*['"]@trestle/(?:${adapters})(?:/[\\w-]+)?['"]`)
const bridge = /\bcreateBridge\s*\(/
const leftOut = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])
/** The maximum number of files to search; in a larger app only dependencies are checked. */
const maxFiles = 5000

/**
 * Returns the file of an app that imports an adapter or creates a bridge. An adapter in the dependencies does not mean
 * that it is mounted.
 */
export function findBridge(folder: string): string | undefined {
  return findSource(folder, (text) => adapter.test(text) || (text.includes('@trestle/core') && bridge.test(text)))
}

/** Returns the first source file of an app whose text matches. */
export function findSource(folder: string, fits: (text: string) => boolean): string | undefined {
  let count = 0
  for (const file of sourcesIn(folder, '')) {
    count += 1
    if (count > maxFiles) return undefined
    if (fits(readFileSync(join(folder, file), 'utf8'))) return file
  }
  return undefined
}

function* sourcesIn(folder: string, place: string): Generator<string> {
  for (const entry of readdirSync(join(folder, place), { withFileTypes: true })) {
    const path = join(place, entry.name)
    const isOpen = !entry.name.startsWith('.') && !leftOut.has(entry.name)
    if (entry.isDirectory() && isOpen) yield* sourcesIn(folder, path)
    if (entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) && !/\.(?:d|test|spec)\./.test(entry.name)) yield path
  }
}
