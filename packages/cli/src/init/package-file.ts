import { isObject } from '@trestle/protocol'
import { type AppPackage, parsePackage } from '../app/read-package.ts'
import { byteOrderMark } from '../base/read-text.ts'

/** Additions to a `package.json`. */
export interface PackageAdditions {
  /** The module type. @default unchanged */
  readonly type?: 'module'
  /** Dependencies with their versions; existing ones are kept. */
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Scripts; existing ones are kept. */
  readonly scripts: Readonly<Record<string, string>>
}

/**
 * Returns the text of a `package.json` with additions, keeping its indentation.
 *
 * @throws {UsageError} It is not a JSON object.
 */
export function addToPackage(text: string, additions: PackageAdditions): string {
  const file = parsePackage(text)
  const all = { ...toMap(file['dependencies']), ...toMap(file['devDependencies']) }
  const missing = (entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !Object.hasOwn(all, name)))
  const scripts = { ...additions.scripts, ...toMap(file['scripts']) }
  const result = {
    ...file,
    ...(additions.type && { type: additions.type }),
    ...(Object.keys(scripts).length > 0 && { scripts: { ...toMap(file['scripts']), ...scripts } }),
    ...merge('dependencies', file['dependencies'], missing(additions.dependencies)),
    ...merge('devDependencies', file['devDependencies'], missing(additions.devDependencies)),
  }
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? []
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  return `${mark}${JSON.stringify(result, null, indent)}${text.endsWith('\n') ? '\n' : ''}`
}

function merge(
  field: string,
  before: unknown,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (Object.keys(added).length === 0) return {}
  const names = { ...toMap(before), ...added }
  return { [field]: Object.fromEntries(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1))) }
}

const toMap = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/**
 * The script that starts an app together with the local service. It is not named `trestle`, because yarn would run a
 * script with that name instead of the program.
 */
export const devScript = 'trestle:dev'

/** Returns the command that starts the app in development: one of its scripts, unless it runs `trestle dev` itself. */
export function toStartCommand({ scripts }: AppPackage, run: string): string | undefined {
  const name = ['dev', 'start:dev', 'develop', 'serve', 'start'].find((one) => Object.hasOwn(scripts, one))
  return name === undefined || /\btrestle(?::| +)dev\b/.test(scripts[name] ?? '') ? undefined : `${run} ${name}`
}

/**
 * Returns the script to add to `package.json`.
 *
 * @param start - The command that starts the app; undefined if it is started separately.
 */
export function toDevScript(start: string | undefined): Readonly<Record<string, string>> {
  return { [devScript]: start === undefined ? 'trestle dev' : `trestle dev --run "${start}"` }
}
