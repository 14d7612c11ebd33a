import { type Node, nameOf, remark, type Source, walk } from '../syntax/source.ts'
import { toCron, toCronRemark } from '../tables/cron.ts'

const severities: readonly string[] = ['NONE', 'LOW', 'MEDIUM', 'HIGH']

/**
 * Replaces named cron expressions and severities with their values.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveEnumMembers(source: Source): void {
  walk(source.program, (node) => {
    const enumeration = node.type === 'MemberExpression' ? source.imported.get(nameOf(node['object']) ?? '') : undefined
    const name = nameOf(node['property']) ?? ''
    if (enumeration === 'CronExpression') moveCronName(source, node, name)
    if (enumeration === 'SeverityLevelEnum' && severities.includes(name))
      source.text.update(node.start, node.end, `'${name.toLowerCase()}'`)
  })
}

/** Returns whether a member of an enumeration was replaced with its value. */
export function isMovedMember(imported: string, member: Node | undefined): boolean {
  if (member?.type !== 'MemberExpression') return false
  return imported === 'CronExpression' || severities.includes(nameOf(member['property']) ?? '')
}

function moveCronName(source: Source, node: Node, name: string): void {
  const cron = toCron(name)
  source.text.update(node.start, node.end, `'${cron ?? name}'`)
  const cronRemark =
    cron === undefined ? `CronExpression.${name} is unknown. Write the cron expression instead.` : toCronRemark(name)
  if (cronRemark) remark(source, node, cronRemark)
}
