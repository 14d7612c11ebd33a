import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How many levels of extended configurations are followed. */
const maxDepth = 10
/**
 * Matches strings and comments: `tsc --init` writes most options as comments, and a string can look like a comment,
 * such as `@/*`.
 */
const textOrComment = /("(?:\\.|[^"\\\n])*")|\/\/.*|\/\*[\s\S]*?\*\//g

/**
 * Returns a TypeScript compiler option from the app's configuration or one that it extends, which in a workspace is
 * often in a parent folder. Configurations in packages are ignored.
 *
 * @param name - The option, for example `module`.
 */
export function compilerOption(folder: string, name: string): string | undefined {
  return search(join(folder, 'tsconfig.json'), new RegExp(`"${name}"\\s*:\\s*"?([^",}\\s]+)`), maxDepth)
}

function search(path: string, option: RegExp, depth: number): string | undefined {
  if (depth === 0 || !existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').replace(textOrComment, (_all, literal: string | undefined) => literal ?? ' ')
  const own = option.exec(text)?.[1]
  if (own !== undefined) return own
  const [, extended = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(text) ?? []
  // If there are several, the last one takes precedence.
  const bases = [...extended.matchAll(/"(\.{1,2}\/[^"]*)"/g)].map(([, base = '']) => base).reverse()
  for (const base of bases) {
    const file = join(dirname(path), base.endsWith('.json') ? base : `${base}.json`)
    const value = search(file, option, depth - 1)
    if (value !== undefined) return value
  }
  return undefined
}
