import { remarksOnTaken } from '../moves/settings.ts'
import type { Remark } from '../syntax/source.ts'
import { readers, variables } from '../tables/packages.ts'

/** A file that was read. */
export interface ReadFile {
  /** Its whole path. */
  readonly path: string
  /** What is done with it; nothing with `other`, which may name variables. */
  readonly kind: 'source' | 'setting' | 'package' | 'other'
  /** Its text. */
  readonly text: string
}

const kinds = [
  ['package', /^package\.json$/],
  ['setting', /^\.env(\..+)?$/],
  // The types of an environment, templates, and what builds and runs a project; a lock file names no variables.
  ['other', /\.d\.[cm]?ts$|\.(?:vue|svelte|astro|mdx|sh|toml)$|^(?:Dockerfile.*|Makefile|Procfile)$/],
  ['other', /^(?!.*-lock).*\.(?:ya?ml|jsonc?)$/],
  ['source', /\.[cm]?[jt]sx?$/],
] as const

/**
 * Returns what is done with a file; undefined for one that is not read.
 *
 * @param name - The file's name.
 */
export function kindOf(name: string): ReadFile['kind'] | undefined {
  return kinds.find(([, pattern]) => pattern.test(name))?.[0]
}

const hasWord = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text)

/**
 * Returns the new names that mean something else in a project. One that uses Trestle has them from there.
 *
 * @param files - The project, before it is moved.
 */
export function findTaken(files: readonly ReadFile[]): ReadonlySet<string> {
  if (files.some(({ text }) => text.includes('@trestle/'))) return new Set()
  return new Set(Object.values(variables).filter((name) => files.some(({ text }) => hasWord(text, name))))
}

/**
 * Returns the former names that something else than a bridge still reads: code of the project's own, packages and the
 * command of the former service, and variables made of others.
 *
 * @param files - The project; sources as they are moved, in `next`.
 */
export function findRead(files: readonly (ReadFile & { readonly next?: string })[]): ReadonlySet<string> {
  const isReader = ({ kind, text, next = text }: (typeof files)[number], name: string): boolean =>
    kind === 'setting' ? new RegExp(`\\$\\{?${name}\\b`).test(text) : hasWord(next, name)
  const names = Object.keys(variables).filter((name) => files.some((file) => isReader(file, name)))
  const hasCommand = files.some(
    ({ kind, text }) =>
      (kind === 'package' && readers.some((name) => text.includes(`"${name}"`))) ||
      /\bnovu(?:@\S+)?\s+(?:sync|dev)\b/.test(text),
  )
  return new Set([...names, ...(hasCommand ? ['NOVU_SECRET_KEY'] : [])])
}

/**
 * Returns the remarks on a file with those on variables that are taken.
 *
 * @param file - The file.
 * @param taken - The names.
 */
export function withTaken(
  { text, remarks }: ReadFile & { readonly remarks: readonly Remark[] },
  taken: ReadonlySet<string>,
): readonly Remark[] {
  return [...remarks, ...remarksOnTaken(text, taken)].toSorted((left, right) => left.line - right.line)
}
