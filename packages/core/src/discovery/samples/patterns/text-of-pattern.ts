import { type PatternNode, parsePattern } from './parse-pattern.ts'

// Every try repeats and chooses something else.
const maxTries = 12
const maxLength = 500
/** A group whose match is told. */
const captures = /\((?!\?)|\(\?<[^=!]/

/** Which of the texts of a pattern is made. */
interface Choice {
  /** How often more than it must something is repeated. */
  readonly more: number
  /** Which alternative, and which character of a class. */
  readonly index: number
  /** What groups match. @default what is made of them */
  readonly group?: string | undefined
  /** Which group does. @default all of them */
  readonly which?: number | undefined
  /** How many alternatives further. */
  readonly branch: number
}

/** Which of the texts that a pattern matches is wanted. */
export interface WantedText {
  /** What its groups, or one of them, match; without groups there is no such text. @default what is made of them */
  readonly group?: string | undefined
  /** Which alternative is taken first, counting from 0. @default 0 */
  readonly branch?: number
}

/** All groups, then each of the first: others may match nothing like it. */
const whichGroups: readonly (number | undefined)[] = [undefined, 0, 1, 2, 3]

/**
 * Returns a short text that a pattern matches; `undefined` where none is found. Anchors, literals, classes, groups,
 * alternatives and quantifiers are understood; what looks behind or back is left to luck.
 *
 * @param pattern - The source of a regular expression.
 * @param isFit - Whether a text will do; asked a dozen times at most, five times as often for groups.
 * @param wanted - Which of them. @default any
 */
export function toTextOfPattern(
  pattern: string,
  isFit: (text: string) => boolean,
  { group, branch = 0 }: WantedText = {},
): string | undefined {
  const parsed = parsePattern(pattern)
  if (!parsed || (group !== undefined && !captures.test(pattern))) return undefined
  for (const which of group === undefined ? [undefined] : whichGroups)
    for (let at = 0; at < maxTries; at++) {
      const more = [1, 0, 3, 9][at % 4] ?? 1
      const made = write(parsed, { more, index: Math.floor(at / 4), group, which, branch })
      if (made.length <= maxLength && made.includes(group ?? '') && isFit(made)) return made
    }
  return undefined
}

function write(node: PatternNode, choice: Choice): string {
  if (node.kind === 'characters') return node.characters[choice.index % node.characters.length] ?? ''
  if (node.kind === 'sequence') return node.parts.map((part) => write(part, choice)).join('')
  if (node.kind === 'group') {
    const isTold = choice.group !== undefined && (choice.which ?? node.index) === node.index
    return isTold ? (choice.group ?? '') : write(node.part, choice)
  }
  if (node.kind === 'either') {
    const branch = node.branches[(choice.index + choice.branch) % node.branches.length]
    return branch ? write(branch, choice) : ''
  }
  const wanted = node.low === 0 && choice.more > 0 ? choice.more : node.low + Math.max(choice.more - 1, 0)
  const count = Math.min(Math.max(wanted, node.low), node.high, maxLength)
  const once = write(node.part, choice)
  return once.length * count > maxLength ? once : once.repeat(count)
}
