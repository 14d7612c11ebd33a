import { byteOrderMark, withoutMark } from '../base/read-text.ts'
import { bridgePath, fromPackage } from './app-files.ts'

/** What to mount, and where. */
export interface Mounting {
  /** The package of the adapter. */
  readonly adapter: '@trestle/express' | '@trestle/hono'
  /** The specifier with which the entry imports the workflows. */
  readonly workflows: string
  /** Whether the entry uses `require`. */
  readonly isCommonJs: boolean
}

/**
 * The statement that creates the app, on its own line, possibly inside a function and followed by a comment. Within a
 * class, a plain assignment can be a field, which cannot be followed by a statement, so only `this.app` is accepted.
 */
const creations = {
  '@trestle/express':
    /^([ \t]*)(?:(?:export\s+)?(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.]+)?|(this\.\w+))\s*=\s*express\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$(?!\s*\.)/gm,
  '@trestle/hono':
    /^([ \t]*)(?:(?:export\s+)?(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.<>{}:;, ]+)?|(this\.\w+))\s*=\s*new\s+Hono(?:<[^\n()]*>)?\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$(?!\s*\.)/gm,
} as const
const importLine = /^(?:import\b[^\n]*|(?:const|let|var)\s[^\n=]*=\s*require\([^\n]*\).*)$(?!\s*[.([])/gm

/** The text of an entry with the bridge mounted, or why this is not possible. */
export type EditedEntry = { readonly text: string } | { readonly why: string }

/**
 * Mounts the bridge in an app's entry file, directly after the statement that creates the app and therefore before any
 * body parser. Changes nothing unless that statement is found exactly once.
 */
export function editEntry(text: string, mounting: Mounting): EditedEntry {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const isWindows = text.includes('\r\n')
  if (isWindows && /[^\r]\n/.test(text)) return { why: 'it mixes two kinds of line endings' }
  const edited = editLines(withoutMark(text).replaceAll('\r\n', '\n'), mounting)
  if ('why' in edited) return edited
  return { text: `${mark}${isWindows ? edited.text.replaceAll('\n', '\r\n') : edited.text}` }
}

const comment = '// Before any body parser, so that the bridge sees the bytes that were signed.'

function editLines(text: string, mounting: Mounting): EditedEntry {
  const [creation, ...others] = [...text.matchAll(creations[mounting.adapter])]
  if (creation === undefined) return { why: 'the statement that creates the app was not found in it' }
  if (others.length > 0) return { why: 'it creates the app more than once' }
  const [statement, indent = '', variable, field] = creation
  const app = variable ?? field ?? 'app'
  const semicolon = statement
    .replace(/\/\/.*$/, '')
    .trimEnd()
    .endsWith(';')
    ? ';'
    : ''
  const quote = /from\s+"|require\("/.test(text) ? '"' : "'"
  const words = (line: string): string => `${line.replaceAll("'", quote)}${semicolon}`
  const end = creation.index + statement.length
  const names = toNames(text)
  const imports = toImports(mounting, names).map(words).join('\n')
  const last = lastImport(text.slice(0, creation.index))
  if (last === undefined && indent !== '') return { why: 'no import was found above the function that creates the app' }
  // Without a known import, the line is inserted directly before the statement, so that 'use strict' stays first.
  const place = last ?? creation.index
  const added = last === undefined ? `${imports}\n\n` : `\n${imports}`
  const lines = `${indent}${comment}\n${indent}${words(toMount(app, names))}`
  const mounted = `${text.slice(place, end)}\n\n${lines}${text.slice(end)}`
  return { text: `${text.slice(0, place)}${added}${mounted}` }
}

/**
 * Returns the lines that the user must add to an entry file.
 *
 * @param text - The entry file, whose names are kept. @default an empty one
 */
export function toLines(mounting: Mounting, text = ''): readonly string[] {
  const names = toNames(text)
  return [toImports(mounting, names).join('\n'), toMount('app', names)]
}

/** The imported names, as used in the entry file. */
interface Names {
  readonly serve: string
  readonly workflows: string
}

/** Renames the import on conflict: the server of `@hono/node-server` is also started by a function named `serve`. */
function toNames(text: string): Names {
  const isTaken = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text)
  return {
    serve: isTaken('serve') ? 'serveBridge' : 'serve',
    workflows: isTaken('workflows') ? 'bridgeWorkflows' : 'workflows',
  }
}

function toMount(app: string, { serve, workflows }: Names): string {
  const workflowsOption = workflows === 'workflows' ? workflows : `workflows: ${workflows}`
  return `${app}.all('${bridgePath}', ${serve}({ ${workflowsOption} }))`
}

function toImports({ adapter, workflows, isCommonJs }: Mounting, names: Names): readonly string[] {
  const as = (name: keyof Names): string =>
    names[name] === name ? name : `${name}${isCommonJs ? ':' : ' as'} ${names[name]}`
  return [fromPackage([as('serve')], adapter, isCommonJs), fromPackage([as('workflows')], workflows, isCommonJs)]
}

/**
 * Returns the end of the last import before the app's creation; for a multi-line import, its last line counts. A later
 * `require` is not yet available when the bridge is mounted.
 */
function lastImport(text: string): number | undefined {
  const single = [...text.matchAll(importLine)].filter(
    ([line]) => !/^import\b[^'"]*$/.test(line) || line.includes('from'),
  )
  const several = [...text.matchAll(/^\}\s*(?:from\s*|=\s*require\()['"][^'"\n]+['"].*$/gm)]
  const [last] = [...single, ...several]
    .filter(([line]) => !/[,({[=.?:&|+]\s*(?:\/\/.*)?$/.test(line))
    .map((match) => match.index + match[0].length)
    .sort((one, other) => other - one)
  return last
}
