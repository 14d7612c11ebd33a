/** The parts of a `package.json` that are looked at. */
interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

const former = '@novu/framework'

/**
 * Returns a `package.json` that asks for what the files import now.
 *
 * @param text - The file.
 * @param packages - The packages that the files import.
 * @param version - Their version.
 * @returns The new text; the old one where the former package is not asked for.
 * @throws SyntaxError - It is no JSON.
 */
export function movePackage(text: string, packages: readonly string[], version: string): string {
  const file = JSON.parse(text) as PackageFile
  const field = file.dependencies?.[former]
    ? 'dependencies'
    : file.devDependencies?.[former]
      ? 'devDependencies'
      : undefined
  if (!field) return text
  const { [former]: _, ...rest } = file[field] ?? {}
  const added = Object.fromEntries(['@trestle/core', ...packages].map((name) => [name, `^${version}`]))
  const next = { ...file, [field]: sorted({ ...rest, ...added }) }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  return `${JSON.stringify(next, null, indent)}${text.endsWith('\n') ? '\n' : ''}`
}

function sorted(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))
}
