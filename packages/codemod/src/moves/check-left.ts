import { usesOf } from '../syntax/names.ts'
import { isNode, nameOf, remark, type Source, walk } from '../syntax/source.ts'
import { removedNames } from '../tables/packages.ts'
import { isType } from './cron-names.ts'
import { isSeverity } from './severities.ts'

/** The advice for names that are not moved in the remaining forms. */
const instead: Readonly<Record<string, string>> = {
  Client: 'It takes the options of serve: BridgeOptions from @trestle/core.',
  CronExpression: 'Write the expressions in its place, or use cron from @trestle/core.',
  SeverityLevelEnum: "Write the severity as a string: 'none', 'low', 'medium' or 'high'.",
}

/**
 * Adds remarks on the remaining uses of former imports: unsupported forms, and members of a namespace import.
 *
 * @param source - The file, after all other moves.
 */
export function checkLeft(source: Source): void {
  for (const [local, imported] of source.imported) {
    if (!Object.hasOwn(instead, imported)) continue
    for (const use of usesOf(source, local)) {
      const parent = source.parents.get(use)
      const isMoved =
        (imported === 'Client' && (parent?.type === 'TSTypeReference' || isCallee(parent, use, 'NewExpression'))) ||
        (imported === 'CronExpression' && !isType(parent)) ||
        (imported === 'SeverityLevelEnum' && isSeverity(parent))
      if (!isMoved) remark(source, use, `${imported} no longer exists. ${instead[imported]}`)
    }
  }
  walk(source.program, (node) => {
    const [whole, field] = [node['object'] ?? node['left'], node['property'] ?? node['right']]
    if (!['MemberExpression', 'TSQualifiedName'].includes(node.type) || !source.wholes.has(nameOf(whole) ?? '')) return
    const name = nameOf(field) ?? ''
    const why = Object.hasOwn(instead, name)
      ? instead[name]
      : Object.hasOwn(removedNames, name)
        ? removedNames[name]
        : undefined
    if (why) remark(source, node, `${name} no longer exists. ${why}`)
  })
}

function isCallee(parent: unknown, node: unknown, type: string): boolean {
  return isNode(parent) && parent.type === type && parent['callee'] === node
}
