import { toCron, toCronRemark } from '../tables/cron.ts'
import { type Node, nameOf, remark, type Source, walk } from './source.ts'

/**
 * Puts cron expressions of five fields in the place of their former names.
 *
 * @param source - The file; its imports are moved.
 */
export function moveCronNames(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'MemberExpression' || source.imported.get(nameOf(node['object']) ?? '') !== 'CronExpression')
      return
    const name = nameOf(node['property'] as Node) ?? ''
    const move = toCron(name)
    if (!move || 'why' in move) {
      source.text.update(node.start, node.end, `'${name}'`)
      return remark(source, node, `CronExpression.${name} has no counterpart. ${move?.why ?? 'Nobody knows the name.'}`)
    }
    source.text.update(node.start, node.end, `'${move.cron}'`)
    const told = toCronRemark(name)
    if (told) remark(source, node, told)
  })
}
