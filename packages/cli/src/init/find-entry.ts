import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppPackage } from '../app/read-package.ts'

const folders = ['src', '.', 'server', 'lib', 'app']
const names = ['server', 'index', 'app', 'main']
const endings = ['ts', 'mts', 'js', 'mjs', 'cjs']

/**
 * Returns the file that creates an app: the one that its scripts start, otherwise one with a common name. It must
 * contain the marker.
 */
export function findEntry(folder: string, app: AppPackage, mark: RegExp): string | undefined {
  const started = ['dev', 'start', 'serve'].flatMap((name) =>
    [...(app.scripts[name] ?? '').matchAll(/[\w./-]+\.(?:m|c)?[jt]s\b/g)].map(([file]) => file),
  )
  const usual = folders.flatMap((place) =>
    names.flatMap((name) => endings.map((ending) => join(place, `${name}.${ending}`))),
  )
  return [...new Set([...started.map((file) => join(file)), ...usual])].find(
    (file) =>
      !file.startsWith('..') && existsSync(join(folder, file)) && mark.test(readFileSync(join(folder, file), 'utf8')),
  )
}
