import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Configurations that extend one another further are not followed. */
const maxDepth = 10
/** `tsc --init` writes most options as comments; a text may look like one, such as `@/*`. */
const textOrComment = /("(?:\\.|[^"\\\n])*")|\/\/.*|\/\*[\s\S]*?\*\//g

/**
 * Returns the text of an option of the TypeScript compiler, as the configuration of an app or one that it extends has it;
 * in a workspace that is often a file further up. Those of packages are not looked into.
 *
 * @param name - The option, such as `module`.
 */
export function compilerOption(folder: string, name: string): string | undefined {
  return search(join(folder, 'tsconfig.json'), new RegExp(`"${name}"\\s*:\\s*"?([^",}\\s]+)`), maxDepth)
}

function search(path: string, option: RegExp, depth: number): string | undefined {
  if (depth === 0 || !existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').replace(textOrComment, (_all, kept: string | undefined) => kept ?? ' ')
  const own = option.exec(text)?.[1]
  if (own !== undefined) return own
  const [, extended = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(text) ?? []
  // Of several the last counts most.
  const bases = [...extended.matchAll(/"(\.{1,2}\/[^"]*)"/g)].map(([, base = '']) => base).reverse()
  for (const base of bases) {
    const file = join(dirname(path), base.endsWith('.json') ? base : `${base}.json`)
    const found = search(file, option, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
