import { usesOf } from '../syntax/names.ts'
import { type Node, nameOf, nodesOf, remark, type Source } from '../syntax/source.ts'
import { toCron, toCronEnumeration, toCronRemark } from '../tables/cron.ts'

/**
 * Replaces named cron expressions with their values. If the enumeration is also used as a value, for example as the
 * choices of a control, it becomes an object in the file.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveCronNames(source: Source): void {
  for (const [local, imported] of source.imported) {
    if (imported !== 'CronExpression') continue
    const names: Node[] = []
    const values: Node[] = []
    for (const use of usesOf(source, local)) {
      const parent = source.parents.get(use)
      if (parent?.type === 'MemberExpression' && isNamed(parent)) names.push(parent)
      else if (!isType(parent)) values.push(use)
    }
    // In a file with the object, names refer to it: otherwise a default would not be one of the choices.
    for (const name of names) moveName(source, name, values.length > 0)
    for (const use of values)
      remark(
        source,
        use,
        'CronExpression no longer exists. Its expressions are now in this file; keep those that you need.',
      )
    if (values.length > 0) declare(source, local)
  }
}

/** Returns whether the parent of a use is a type. */
export const isType = (parent: Node | undefined): boolean =>
  parent !== undefined && /^TS(?:TypeReference|QualifiedName|ExpressionWithTypeArguments)$/.test(parent.type)

const isNamed = ({ computed, property }: Node): boolean =>
  computed !== true || (property as Node).type === 'StringLiteral'

function moveName(source: Source, node: Node, isKept: boolean): void {
  const name = nameOf(node['property']) ?? ''
  const cron = toCron(name)
  if (cron === undefined || !isKept) source.text.update(node.start, node.end, `'${cron ?? name}'`)
  const cronRemark =
    cron === undefined ? `CronExpression.${name} is unknown. Write the cron expression instead.` : toCronRemark(name)
  if (cronRemark) remark(source, node, cronRemark)
}

/** Declares the enumeration after the imports. */
function declare(source: Source, local: string): void {
  const lines = Object.entries(toCronEnumeration()).map(([name, expression]) => `  ${name}: '${expression}',`)
  const text = `const ${local} = {\n${lines.join('\n')}\n}`
  const statements = nodesOf(source.program['body'])
  const lastImport = statements.findLast(({ type }) => type === 'ImportDeclaration')
  if (lastImport) source.text.appendLeft(lastImport.end, `\n\n${text}\n`)
  else source.text.prependRight(statements[0]?.start ?? 0, `${text}\n\n`)
}
