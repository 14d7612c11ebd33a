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
  '@trestle/express': /^(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*express\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$/gm,
  '@trestle/hono':
    /^(?:export\s+)?(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.<>{}:;, ]+)?\s*=\s*new\s+Hono(?:<[^\n()]*>)?\(\)[ \t]*;?[ \t]*(?:\/\/.*)?$/gm,
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
  const found = [...text.matchAll(creations[mounting.adapter])]
  const [creation] = found
  if (creation === undefined || found.length > 1)
    return {
      why:
        found.length > 1
          ? 'the app is created more than once in it'
          : 'the statement that creates the app was not found in it',
    }
  const [statement, app = 'app'] = creation
  const end = creation.index + statement.length
  const style = text.includes('\r\n') ? '\r\n' : '\n'
  const semicolon = statement
    .replace(/\/\/.*$/, '')
    .trimEnd()
    .endsWith(';')
    ? ';'
    : ''
  const quote = /from\s+"|require\("/.test(text) ? '"' : "'"
  const words = (line: string): string => `${line.replaceAll("'", quote)}${semicolon}`
  const [first, second] = toLines(mounting, app)
  const imports = toImports(mounting).map(words)
  const mounted = `${text.slice(0, end)}${style}${style}// In front of any body parser, so that the bridge sees the bytes that were signed.${style}${words(second ?? first ?? '')}${text.slice(end)}`
  const last = lastImport(mounted)
  return {
    text: `${mounted.slice(0, last)}${last === 0 ? '' : style}${imports.join(style)}${last === 0 ? style : ''}${mounted.slice(last)}`,
  }
}

/**
 * Returns the lines that a person must add to an entry.
 *
 * @param mounting - What is mounted.
 * @param app - The variable of the app. @default 'app'
 */
export function toLines(mounting: Mounting, app = 'app'): readonly string[] {
  return [toImports(mounting).join('\n'), `${app}.all('${bridgePath}', serve({ workflows }))`]
}

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
