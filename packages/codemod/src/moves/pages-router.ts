import { isNode, type Node, nameOf, nodesOf, remark, type Source } from '../syntax/source.ts'

const config = 'export const config = { api: { bodyParser: false } }'

/** Returns whether a file is an API route of Next's Pages Router that exports the result of `serve`. */
export function isPagesRoute({ program, text }: Source): boolean {
  const statements = nodesOf(program['body'])
  const creations = statements
    .flatMap(({ declarations }) => nodesOf(declarations))
    .filter(({ init }) => isServe(init))
    .map(({ id }) => nameOf(id))
  return statements.some((statement) => {
    const exported = exportedBy(statement, text.original)
    return isServe(exported) || (nameOf(exported) !== undefined && creations.includes(nameOf(exported)))
  })
}

/**
 * Adds the line that stops Next from parsing the body of a bridge call.
 *
 * @param source - A route of the Pages Router.
 */
export function leaveBody(source: Source): void {
  const { text, program } = source
  const configExport = nodesOf(program['body']).find(({ declaration, type }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return false
    return nodesOf(declaration['declarations']).some(({ id }) => nameOf(id) === 'config')
  })
  if (configExport) {
    const hasIt = /bodyParser\s*:\s*false/.test(text.original.slice(configExport.start, configExport.end))
    if (!hasIt) remark(source, configExport, 'The bridge needs the raw body: set bodyParser: false.')
    return
  }
  const isModule = program['sourceType'] === 'module'
  const line = isModule ? config : config.replace('export const config', 'module.exports.config')
  text.append(`${text.original.endsWith('\n') ? '' : '\n'}${line}${/;\s*$/.test(text.original) ? ';' : ''}\n`)
}

function exportedBy({ type, declaration, expression }: Node, text: string): unknown {
  if (type === 'ExportDefaultDeclaration') return declaration
  if (!isNode(expression) || expression.type !== 'AssignmentExpression' || !isNode(expression['left'])) return undefined
  const { start, end } = expression['left']
  return text.slice(start, end) === 'module.exports' ? expression['right'] : undefined
}

function isServe(node: unknown): boolean {
  return isNode(node) && node.type === 'CallExpression' && nameOf(node['callee']) === 'serve'
}
