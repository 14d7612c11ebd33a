import { addPreset } from './preset.ts'
import { isNode, type Node, nameOf, nodesOf, remark, returnedBy, type Source, walk } from './source.ts'

/**
 * Moves the options of a client into those of `serve`: `new Client({ … })` becomes its options, `client` is spread, and
 * the preset of the service that called the bridge before is set.
 *
 * @param source - The file; its imports are moved.
 */
export function moveClient(source: Source): void {
  const mounted: Node[] = []
  walk(source.program, (node) => {
    if (node.type === 'NewExpression' && isImported(source, node['callee'], 'Client')) moveNew(source, node)
    if (node.type !== 'CallExpression' || !isServe(source, node)) return
    const given = nodesOf(node['arguments']).flatMap(toOptions)
    for (const options of given) moveProperty(source, options)
    mounted.push(...given)
  })
  addPreset(source, mounted)
}

function isImported({ imported }: Source, node: unknown, name: string): boolean {
  return imported.get(nameOf(node) ?? '') === name
}

/** `serve(…)`, and the two ways of the module for NestJS. */
function isServe(source: Source, { callee }: Node): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'MemberExpression') return isImported(source, callee['object'], 'NovuModule')
  return isImported(source, callee, 'serve')
}

/** The options themselves: of those that are made of injected services, what the function returns. */
function toOptions(given: Node): readonly Node[] {
  const factory = nodesOf(given['properties']).find(({ key }) => nameOf(key) === 'useFactory')
  if (!factory) return [given]
  return isNode(factory['value']) ? returnedBy(factory['value']) : returnedBy(factory)
}

function moveNew(source: Source, node: Node): void {
  const [options] = nodesOf(node['arguments'])
  if (!options) return void source.text.update(node.start, node.end, '{}')
  source.text.remove(node.start, options.start)
  source.text.remove(options.end, node.end)
  for (const property of nodesOf(options['properties'])) {
    if (nameOf(property['key']) !== 'verbose') continue
    remark(
      source,
      property,
      'The option "verbose" is gone: give a logger, { warn, error }, that is as quiet as you like.',
    )
    removeProperty(source, property)
  }
}

function moveProperty({ text }: Source, options: Node): void {
  for (const property of nodesOf(options['properties'])) {
    const { key, value, shorthand } = property
    const name = nameOf(key)
    if (name === 'client' && shorthand) text.update(property.start, property.end, '...client')
    else if (name === 'client' && isNode(value)) text.update(property.start, value.start, '...')
    else if (name === 'apiPath' && isNode(key)) text.update(key.start, key.end, shorthand ? 'path: apiPath' : 'path')
  }
}

function removeProperty({ text }: Source, property: Node): void {
  const comma = /^\s*,\s*/.exec(text.original.slice(property.end))?.[0].length
  if (comma) return void text.remove(property.start, property.end + comma)
  const before = /,\s*$/.exec(text.original.slice(0, property.start))?.[0].length ?? 0
  text.remove(property.start - before, property.end)
}
