import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type AppPackage, readAppPackage } from '../app/read-package.ts'
import { version } from '../base/version.ts'
import { CommandError } from '../terminal/command-error.ts'
import { type FileStyle, workflowsFile } from './app-files.ts'
import { compilerOption } from './compiler-option.ts'
import { editEntry, type Mounting, toLines } from './edit-entry.ts'
import { findBridge } from './find-bridge.ts'
import { findEntry } from './find-entry.ts'
import { findInstaller, type Installer } from './find-installer.ts'
import { addToPackage, devScript, toDevScript, toStartCommand } from './package-file.ts'
import { placeWorkflows } from './place-workflows.ts'
import { type InitPlan, type PlannedFile, readToChange, versions } from './plan.ts'
import { isBegun, planNew } from './plan-new.ts'
import { planNext } from './plan-next.ts'
import { toTypeAdvice } from './type-advice.ts'

/** A framework that a bridge can be added to. */
export type InitFramework = 'express' | 'hono' | 'next'

/** Choices made by the user. */
export interface InitWishes {
  /** The framework. @default detected from the dependencies */
  readonly framework?: InitFramework | undefined
  /** The package manager. @default based on the nearest lock file */
  readonly installer?: Installer
}

const marks: Readonly<Record<'express' | 'hono', RegExp>> = { express: /\bexpress\(\)/, hono: /new\s+Hono\b/ }

/** The adapters that must be mounted by hand, keyed by the app's dependency. */
const adapters: readonly (readonly [name: RegExp, adapter: string])[] = [
  [/^@sveltejs\/kit$/, 'sveltekit'],
  [/^(react-router|@react-router\/.+)$/, 'react-router'],
  [/^@nestjs\/core$/, 'nest'],
  [/^(nuxt|nitro|nitropack|h3)$/, 'h3'],
  [/^fastify$/, 'fastify'],
  [/^koa$/, 'koa'],
  [/^(@types\/aws-lambda|serverless|aws-lambda)$/, 'lambda'],
]

/**
 * Plans adding a bridge to the app in a folder. Writes nothing.
 *
 * @param wishes - Choices that override detection.
 * @throws {CommandError} The folder has an app that uses a different framework, or files but no app.
 */
export function planInit(folder: string, { framework: wanted, installer }: InitWishes = {}): InitPlan {
  const app = readAppPackage(folder)
  if (!app) return planNew(folder, installer ?? findInstaller(folder))
  const mountedIn = findBridge(folder)
  if (mountedIn !== undefined) return { framework: wanted ?? 'new', files: [], manual: [], isDone: true, mountedIn }
  if (wanted === undefined && isBegun(folder, app)) return planNew(folder, installer ?? findInstaller(folder))
  const framework = wanted ?? (['next', 'hono', 'express'] as const).find((name) => app.dependencies.includes(name))
  if (framework === undefined)
    throw new CommandError('The app uses neither Express, Hono nor Next.', { fix: toAdapterHint(app) })
  const style = toStyle(folder, app)
  const run = (installer ?? findInstaller(folder)).run
  if (framework === 'next') {
    const start = toStartCommand(app, run) ?? 'next dev'
    const packageFile = changePackage(folder, { adapter: '@trestle/next', hasZod: style.hasZod, start })
    return { ...planNext(folder, { style, packageFile }), devScript }
  }
  return planServer(folder, { app, framework, run })
}

function toAdapterHint({ dependencies }: AppPackage): string {
  const adapter = adapters.find(([name]) => dependencies.some((dependency) => name.test(dependency)))
  if (adapter)
    return `Install @trestle/core and @trestle/${adapter[1]}, and mount the bridge as shown in the README of @trestle/${adapter[1]}.`
  return 'Any web framework with web-standard requests works with createBridge from @trestle/core. To create a new app: trestle init my-app.'
}

interface ServerApp {
  readonly app: AppPackage
  readonly framework: 'express' | 'hono'
  /** Runs a script of the app. */
  readonly run: string
}

function planServer(folder: string, { app, framework, run }: ServerApp): InitPlan {
  const adapter = `@trestle/${framework}` as const
  const entry = findEntry(folder, app, marks[framework])
  const source = entry === undefined ? '' : readToChange(folder, entry)
  const isCommonJs = entry !== undefined && /\brequire\(/.test(source) && !/^import\s/m.test(source)
  const style = { ...toStyle(folder, app), isCommonJs, ...(entry !== undefined && { ending: toEnding(entry) }) }
  const place = entry === undefined ? (existsSync(join(folder, 'src')) ? 'src' : '.') : dirname(entry)
  const { name, isThere } = placeWorkflows(join(folder, place), style.ending)
  const workflows = join(place, `${name}.${style.ending}`)
  const mounting: Mounting = {
    adapter,
    isCommonJs,
    workflows: toSpecifier(folder, source, { name, ending: style.ending, app }),
  }
  const edited =
    entry === undefined ? { why: 'the file that creates the app was not found' } : editEntry(source, mounting)
  const isPlain = entry !== undefined && style.ending !== 'ts'
  const start = toStartCommand(app, run) ?? (isPlain ? `node --watch ${entry}` : undefined)
  const files: PlannedFile[] = [
    ...(isThere ? [] : [{ path: workflows, text: workflowsFile(style), isChange: false }]),
    ...('text' in edited && entry !== undefined ? [{ path: entry, text: edited.text, isChange: true }] : []),
    changePackage(folder, { adapter, hasZod: style.hasZod, start }),
  ]
  const manual =
    'why' in edited
      ? [
          {
            file: entry ?? relative('.', join(place, 'your server file')),
            lines: toLines(mounting, source),
            why: `before body parsers; ${edited.why}`,
          },
        ]
      : []
  const advice = style.ending === 'ts' ? toTypeAdvice(folder) : undefined
  return {
    ...{ framework, files, manual, isDone: false },
    ...(advice !== undefined && { advice }),
    ...((start ?? app.scripts[devScript]) !== undefined && { devScript }),
  }
}

function toEnding(entry: string): FileStyle['ending'] {
  if (/\.m?ts$/.test(entry)) return 'ts'
  const [, ending = 'js'] = /\.([cm]js)$/.exec(entry) ?? []
  return ending as FileStyle['ending']
}

function toStyle(folder: string, app: AppPackage): FileStyle {
  const ending = existsSync(join(folder, 'tsconfig.json')) ? 'ts' : 'js'
  return { ending, isCommonJs: false, hasZod: hasUsableZod(folder, app) }
}

/**
 * Returns whether the app's Zod can be used: Zod 3 needs another package to produce JSON Schema, so a plain schema is
 * used instead.
 */
function hasUsableZod(folder: string, app: AppPackage): boolean {
  if (!app.dependencies.includes('zod')) return true
  const [, range = ''] = /"zod"\s*:\s*"([^"]*)"/.exec(readFileSync(join(folder, 'package.json'), 'utf8')) ?? []
  return Number(/\d+/.exec(range)?.[0] ?? 4) >= 4
}

interface Imported {
  readonly name: string
  readonly ending: FileStyle['ending']
  readonly app: AppPackage
}

/** Uses the import style of the entry file, otherwise that of the app's modules. */
function toSpecifier(folder: string, source: string, { name, ending }: Imported): string {
  // `require` does not resolve other file extensions automatically.
  if (ending === 'cjs') return `./${name}.cjs`
  const [, used] = /(?:from|require\()\s*['"]\.{1,2}\/[^'"]*?(\.[cm]?[jt]s)?['"]/.exec(source) ?? []
  const hasOthers = /(?:from|require\()\s*['"]\.{1,2}\//.test(source)
  if (hasOthers)
    return `./${name}${used === undefined ? '' : used.endsWith('ts') ? '.ts' : `.${ending === 'ts' ? 'js' : ending}`}`
  if (ending !== 'ts') return `./${name}.${ending}`
  const isOn = (option: string): boolean => compilerOption(folder, option) === 'true'
  if (isOn('allowImportingTsExtensions') || isOn('rewriteRelativeImportExtensions')) return `./${name}.ts`
  return /^node(?:next|16|18|20)$/i.test(compilerOption(folder, 'module') ?? '') ? `./${name}.js` : `./${name}`
}

interface PackageChange {
  readonly adapter: string
  readonly hasZod: boolean
  /** The command that starts the app. */
  readonly start: string | undefined
}

function changePackage(folder: string, { adapter, hasZod, start }: PackageChange): PlannedFile {
  const text = readToChange(folder, 'package.json')
  const own = version()
  return {
    path: 'package.json',
    isChange: true,
    text: addToPackage(text, {
      dependencies: { '@trestle/core': own, [adapter]: own, ...(hasZod && { zod: versions['zod'] ?? '' }) },
      devDependencies: { '@trestle/cli': own },
      scripts: toDevScript(start),
    }),
  }
}
