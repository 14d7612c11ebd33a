import { type Node, nameOf, remark, type Source, walk } from '../syntax/source.ts'
import { toCron, toCronRemark } from '../tables/cron.ts'

/**
 * Replaces named cron expressions with their values.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveCronNames(source: Source): void {
  walk(source.program, (node) => {
    if (node.type !== 'MemberExpression' || source.imported.get(nameOf(node['object']) ?? '') !== 'CronExpression')
      return
    const name = nameOf(node['property'] as Node) ?? ''
    const cron = toCron(name)
    source.text.update(node.start, node.end, `'${cron ?? name}'`)
    if (cron === undefined)
      return remark(source, node, `CronExpression.${name} is unknown. Write the cron expression instead.`)
    const cronRemark = toCronRemark(name)
    if (cronRemark) remark(source, node, cronRemark)
  })
}
