import { remarksOnTaken } from '../moves/settings.ts'
import type { Remark } from '../syntax/source.ts'
import { readers, variables } from '../tables/packages.ts'
import type { DecodedText } from './decode.ts'

/** A file that was read. */
export interface ReadFile extends DecodedText {
  readonly path: string
  /** How the file is handled; `other` files are only searched for variable names. */
  readonly kind: 'source' | 'setting' | 'package' | 'other'
}

const kinds = [
  ['package', /^package\.json$/],
  ['setting', /^\.env(\..+)?$/],
  // Environment types, templates, build and deployment files. Lock files contain no variables.
  ['other', /\.d\.[cm]?ts$|\.(?:vue|svelte|astro|mdx|sh|toml)$|^(?:Dockerfile.*|Makefile|Procfile)$/],
  ['other', /^(?!.*-lock).*\.(?:ya?ml|jsonc?)$/],
  ['source', /\.[cm]?[jt]sx?$/],
] as const

/** Returns how a file is handled; undefined if it is ignored. */
export function kindOf(name: string): ReadFile['kind'] | undefined {
  return kinds.find(([, pattern]) => pattern.test(name))?.[0]
}

const hasWord = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text)

/**
 * Returns the new names that a project already uses for something else. A project that already uses Trestle has none.
 *
 * @param files - The project before the move.
 */
export function findTaken(files: readonly ReadFile[]): ReadonlySet<string> {
  if (files.some(({ text }) => text.includes('@trestle/'))) return new Set()
  return new Set(Object.values(variables).filter((name) => files.some(({ text }) => hasWord(text, name))))
}

/**
 * Returns the former names still read by something other than a bridge: project code, packages, the former service's
 * CLI, and variables derived from others.
 *
 * @param files - The project, with the moved sources in `next`.
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

/** Adds remarks on conflicting variables to those of a file. */
export function withTaken(
  { text, remarks }: ReadFile & { readonly remarks: readonly Remark[] },
  takenNames: ReadonlySet<string>,
): readonly Remark[] {
  return [...remarks, ...remarksOnTaken(text, takenNames)].toSorted((left, right) => left.line - right.line)
}
