import { bridgePath, fromPackage } from './app-files.ts'

/** What is mounted where. */
export interface Mounting {
  /** The package of the adapter. */
  readonly adapter: '@trestle/express' | '@trestle/hono'
  /** How the workflows are imported from the entry. */
  readonly workflows: string
  /** Whether the entry uses `require`. */
  readonly isCommonJs: boolean
}

/** The statement that creates the app, on a line of its own; what follows on the line may be a comment. */
const creations = {
  '@trestle/express':
    /^(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*express\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$(?!\s*\.)/gm,
  '@trestle/hono':
    /^(?:export\s+)?(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.<>{}:;, ]+)?\s*=\s*new\s+Hono(?:<[^\n()]*>)?\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$(?!\s*\.)/gm,
} as const
const importLine = /^(?:import\b[^\n]*|(?:const|let|var)\s[^\n=]*=\s*require\([^\n]*\).*)$/gm

/** The text of an entry with the bridge mounted, or why it cannot be. */
export type EditedEntry = { readonly text: string } | { readonly why: string }

/**
 * Mounts the bridge in the text of an app's entry: right behind the statement that creates the app, so in front of body
 * parsers. Nothing is changed where that statement is not found exactly once.
 *
 * @param text - The entry.
 * @param mounting - What is mounted.
 */
export function editEntry(text: string, mounting: Mounting): EditedEntry {
  const isWindows = text.includes('\r\n')
  if (isWindows && /[^\r]\n/.test(text)) return { why: 'its lines end in two ways' }
  const edited = editLines(text.replaceAll('\r\n', '\n'), mounting)
  return 'text' in edited && isWindows ? { text: edited.text.replaceAll('\n', '\r\n') } : edited
}

const comment = '// In front of any body parser, so that the bridge sees the bytes that were signed.'

function editLines(text: string, mounting: Mounting): EditedEntry {
  const [creation, ...others] = [...text.matchAll(creations[mounting.adapter])]
  if (creation === undefined) return { why: 'the statement that creates the app was not found in it' }
  if (others.length > 0) return { why: 'the app is created more than once in it' }
  const [statement, app = 'app'] = creation
  const semicolon = statement
    .replace(/\/\/.*$/, '')
    .trimEnd()
    .endsWith(';')
    ? ';'
    : ''
  const quote = /from\s+"|require\("/.test(text) ? '"' : "'"
  const words = (line: string): string => `${line.replaceAll("'", quote)}${semicolon}`
  const end = creation.index + statement.length
  const mounted = `${text.slice(0, end)}\n\n${comment}\n${words(toMount(app))}${text.slice(end)}`
  const imports = toImports(mounting).map(words).join('\n')
  const last = lastImport(mounted)
  const added = last === 0 ? `${imports}\n` : `\n${imports}`
  return { text: `${mounted.slice(0, last)}${added}${mounted.slice(last)}` }
}

/**
 * Returns the lines that a person must add to an entry.
 *
 * @param mounting - What is mounted.
 * @param app - The variable of the app. @default 'app'
 */
export function toLines(mounting: Mounting, app = 'app'): readonly string[] {
  return [toImports(mounting).join('\n'), toMount(app)]
}

const toMount = (app: string): string => `${app}.all('${bridgePath}', serve({ workflows }))`

function toImports({ adapter, workflows, isCommonJs }: Mounting): readonly string[] {
  return [fromPackage(['serve'], adapter, isCommonJs), fromPackage(['workflows'], workflows, isCommonJs)]
}

/** The end of the last import of one line before anything else of the program; imports of several lines count by their last. */
function lastImport(text: string): number {
  const single = [...text.matchAll(importLine)].filter(
    ([line]) => !/^import\b[^'"]*$/.test(line) || line.includes('from'),
  )
  const several = [...text.matchAll(/^\}\s*from\s*['"][^'"\n]+['"];?.*$/gm)]
  return Math.max(0, ...[...single, ...several].map((match) => match.index + match[0].length))
}
