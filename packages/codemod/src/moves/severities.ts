import { type Node, nameOf, type Source, walk } from '../syntax/source.ts'

const severities: readonly string[] = ['NONE', 'LOW', 'MEDIUM', 'HIGH']

/**
 * Replaces named severities with their values.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveSeverities(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'MemberExpression') return
    const enumeration = source.imported.get(nameOf(node['object']) ?? '')
    if (enumeration !== 'SeverityLevelEnum' || !isSeverity(node)) return
    source.text.update(node.start, node.end, `'${String(nameOf(node['property'])).toLowerCase()}'`)
  })
}

/** Returns whether a member of the enumeration was replaced with its value. */
export function isSeverity(member: Node | undefined): boolean {
  return member?.type === 'MemberExpression' && severities.includes(nameOf(member['property']) ?? '')
}
