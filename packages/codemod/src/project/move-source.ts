import { checkLeft } from '../moves/check-left.ts'
import { checkSteps } from '../moves/check-steps.ts'
import { checkDeclared } from '../moves/check-templates.ts'
import { moveClient } from '../moves/client.ts'
import { moveCronNames } from '../moves/cron-names.ts'
import { moveImports } from '../moves/imports.ts'
import { moveOtherNames } from '../moves/other-names.ts'
import { moveRouteHandlers } from '../moves/route-handlers.ts'
import { type Remark, readSource } from '../syntax/source.ts'

/** A file that was moved. */
export interface MovedSource {
  /** Its new text; the old one where nothing had to be changed. */
  readonly text: string
  /** What a person has to look at. */
  readonly remarks: readonly Remark[]
  /** Packages that it imports now. */
  readonly packages: readonly string[]
  /** Names of the schemas of controls that it takes from other files. */
  readonly controls: readonly string[]
}

/**
 * Moves the text of a TypeScript or JavaScript file: imports, the client's options, settings and cron names. What cannot
 * be moved is remarked.
 *
 * @param text - The text.
 * @param file - The file's name, for its kind.
 * @param taken - New names of variables that mean something else in the project already. @default none
 * @throws SyntaxError - The file cannot be read.
 * @example
 * moveSource("import { workflow } from '@novu/framework'", 'welcome.ts').text
 */
export function moveSource(text: string, file: string, taken: ReadonlySet<string> = new Set()): MovedSource {
  if (!/novu/i.test(text)) return { text, remarks: [], packages: [], controls: [] }
  const source = readSource(text, isJsx(file), taken)
  moveImports(source)
  moveOtherNames(source)
  moveClient(source)
  moveRouteHandlers(source)
  moveCronNames(source)
  checkLeft(source)
  checkSteps(source)
  return {
    text: source.text.toString(),
    remarks: inOrder(source.remarks),
    packages: [...source.packages],
    controls: [...source.controls],
  }
}

/**
 * Returns what a person has to look at in the schemas of controls that other files take from a file.
 *
 * @param text - The text of the file.
 * @param file - The file's name, for its kind.
 * @param names - The names of the schemas.
 * @throws SyntaxError - The file cannot be read.
 */
export function checkSchemas(text: string, file: string, names: ReadonlySet<string>): readonly Remark[] {
  if (!text.includes('{{') || ![...names].some((name) => text.includes(name))) return []
  const source = readSource(text, isJsx(file), new Set())
  checkDeclared(source, names)
  return inOrder(source.remarks)
}

const isJsx = (file: string): boolean => /x$|\.[cm]?js$/.test(file)

/** Each once, by line. */
function inOrder(remarks: readonly Remark[]): readonly Remark[] {
  const told = new Map(remarks.map((remark) => [`${remark.line}: ${remark.text}`, remark]))
  return [...told.values()].toSorted((left, right) => left.line - right.line)
}
