import { keepLineEnds } from '../syntax/line-ends.ts'
import type { Remark } from '../syntax/source.ts'
import { readers } from '../tables/packages.ts'

type Versions = Readonly<Record<string, string>>

const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

type PackageFile = Readonly<Record<string, unknown>> & { readonly [field in (typeof fields)[number]]?: Versions }

export interface MovedPackage {
  /** The new text; unchanged if the former package is not a dependency. */
  readonly text: string
  /** Places to check by hand. */
  readonly remarks: readonly Remark[]
}

const former = '@novu/framework'

/**
 * Updates a `package.json` to depend on the packages that the files now import.
 *
 * @param packages - The packages that the files import.
 * @throws SyntaxError - The text is not JSON.
 */
export function movePackage(text: string, packages: readonly string[], version: string): MovedPackage {
  return keepLineEnds(text, (unix) => moveText(unix, packages, version))
}

function moveText(text: string, packages: readonly string[], version: string): MovedPackage {
  // Some editors write a byte order mark, which is not valid JSON; it is kept.
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const file = JSON.parse(text.slice(mark.length)) as PackageFile
  const asking = fields.filter((field) => file[field]?.[former] !== undefined)
  if (asking.length === 0) return { text, remarks: remarksOnNames(file, text) }
  const added = Object.fromEntries(['@trestle/core', ...packages].map((name) => [name, `^${version}`]))
  const moved = asking.map((field) => {
    const { [former]: _, ...rest } = file[field] ?? {}
    return [field, sorted({ ...rest, ...added })]
  })
  const next = { ...file, ...Object.fromEntries(moved) }
  const [, indent] = /^([ \t]+)"/m.exec(text) ?? []
  const [end = ''] = /\s*$/.exec(text) ?? []
  return {
    text: `${mark}${JSON.stringify(next, null, indent)}${end}`,
    remarks: [...remarksOn(file, { text, packages }), ...remarksOnNames(next, text)],
  }
}

/** Adds remarks on other mentions of the former package, such as in `pnpm.overrides`. */
function remarksOnNames(file: PackageFile, text: string): readonly Remark[] {
  return placesIn(file, []).map((path) => {
    // Each path segment is searched for after its parent.
    const at = path.reduce((from, name) => Math.max(from, text.indexOf(`"${name}"`, from)), 0)
    const message = `"${former}" is named in ${path.join('.')}, and no longer exists.`
    return { line: text.slice(0, at).split('\n').length, text: message }
  })
}

function placesIn(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value === 'string') return isFormer(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  const isHere = Object.keys(value).some(isFormer) || (Array.isArray(value) && value.some(isFormer))
  if (isHere) return [path]
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
}

/** Also matches names with a version, and nested names such as in overrides. */
const isFormer = (name: unknown): boolean =>
  typeof name === 'string' && /(?:^|>|\/)@novu\/framework(?:$|[@/>])/.test(name)

function remarksOn(
  file: PackageFile,
  { text, packages }: { readonly text: string; readonly packages: readonly string[] },
): readonly Remark[] {
  const all: Versions = Object.assign({}, ...fields.map((field) => file[field]))
  const remark = (name: string, what: string): Remark => ({
    line: text.slice(0, text.indexOf(`"${name}"`)).split('\n').length,
    text: what,
  })
  const remarks = readers
    .filter((name) => Object.hasOwn(all, name))
    .map((name) =>
      remark(name, `"${name}" reads NOVU_SECRET_KEY itself: keep it set in addition to SERVICE_SECRET_KEY.`),
    )
  const zod = rangeOf(all, 'zod')
  if (zod?.major === 3) {
    if (zod.minor !== undefined && zod.minor < 25)
      remarks.push(remark('zod', `Zod 3.${zod.minor} is too old: use 4.2 or later, or 3.25 with zod-to-json-schema.`))
    else if (!Object.hasOwn(all, 'zod-to-json-schema'))
      remarks.push(remark('zod', 'Zod 3 also needs zod-to-json-schema; Zod 4.2 and later do not.'))
  }
  const nest = packages.includes('@trestle/nest') ? rangeOf(all, '@nestjs/common') : undefined
  if (nest && nest.major < 12)
    remarks.push(
      remark(
        '@nestjs/common',
        `NestJS ${nest.major} is too old for @trestle/nest: use 12, or createBridge and toNodeHandler from @trestle/core.`,
      ),
    )
  return remarks
}

/** Returns the lowest version of a range; of several alternatives, the last one is used. */
function rangeOf(all: Versions, name: string): { readonly major: number; readonly minor?: number } | undefined {
  const [, major, minor] = /^\D*(\d+)(?:\.(\d+))?/.exec(all[name]?.split('||').at(-1) ?? '') ?? []
  if (major === undefined) return undefined
  return { major: Number(major), ...(minor !== undefined && { minor: Number(minor) }) }
}

function sorted(record: Versions): Versions {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))
}
