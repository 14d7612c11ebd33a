import { checkParsers } from '../checks/check-parsers.ts'
import { checkSteps } from '../checks/check-steps.ts'
import { checkDeclared } from '../checks/check-templates.ts'
import { checkLeft } from '../moves/check-left.ts'
import { moveClient } from '../moves/client.ts'
import { moveCronNames } from '../moves/cron-names.ts'
import { moveImports } from '../moves/imports.ts'
import { moveOtherNames } from '../moves/other-names.ts'
import { moveRouteHandlers } from '../moves/route-handlers.ts'
import { moveSeverities } from '../moves/severities.ts'
import { keepLineEnds } from '../syntax/line-ends.ts'
import { type Remark, readSource, type Source } from '../syntax/source.ts'

/** A source file after the move. */
export interface MovedSource {
  /** The new text; unchanged if there was nothing to move. */
  readonly text: string
  /** Places to check by hand. */
  readonly remarks: readonly Remark[]
  /** Packages that the file imports after the move. */
  readonly packages: readonly string[]
  /** Names of control schemas that the file imports from other files. */
  readonly controls: readonly string[]
}

/**
 * Moves a TypeScript or JavaScript file: imports, client options, settings and cron names. Adds remarks on code that
 * cannot be moved.
 * @param file - The file name; its extension selects the syntax.
 * @param takenNames - New variable names that the project already uses for something else. @default none
 * @throws SyntaxError - The file cannot be parsed.
 * @example
 * moveSource("import { workflow } from '@novu/framework'", 'welcome.ts').text
 */
export function moveSource(text: string, file: string, takenNames: ReadonlySet<string> = new Set()): MovedSource {
  if (!/novu/i.test(text)) return { text, remarks: [], packages: [], controls: [] }
  return keepLineEnds(text, (unix) => moveParsed(readSource(unix, isJsx(file), takenNames)))
}

function moveParsed(source: Source): MovedSource {
  moveImports(source)
  moveOtherNames(source)
  moveClient(source)
  moveRouteHandlers(source)
  moveCronNames(source)
  moveSeverities(source)
  checkLeft(source)
  checkParsers(source)
  checkSteps(source)
  return {
    text: source.text.toString(),
    remarks: inOrder(source.remarks),
    packages: [...source.packages],
    controls: [...source.controls],
  }
}

/**
 * Returns remarks on the control schemas that other files import from a file.
 *
 * @param file - The file name; its extension selects the syntax.
 * @throws SyntaxError - The file cannot be parsed.
 */
export function checkSchemas(text: string, file: string, names: ReadonlySet<string>): readonly Remark[] {
  if (!text.includes('{{') || ![...names].some((name) => text.includes(name))) return []
  const source = readSource(text, isJsx(file), new Set())
  checkDeclared(source, names)
  return inOrder(source.remarks)
}

const isJsx = (file: string): boolean => /x$|\.[cm]?js$/.test(file)

/** Returns remarks without duplicates, sorted by line. */
function inOrder(remarks: readonly Remark[]): readonly Remark[] {
  const remarksByText = new Map(remarks.map((remark) => [`${remark.line}: ${remark.text}`, remark]))
  return [...remarksByText.values()].toSorted((left, right) => left.line - right.line)
}
