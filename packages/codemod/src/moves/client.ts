import { checkKey } from '../checks/check-keys.ts'
import { parentOf, propertiesOf, usesOf } from '../syntax/names.ts'
import { isNode, type Node, nameOf, nodesOf, remark, returnedBy, type Source, walk } from '../syntax/source.ts'
import { bridgeOptions, goneOptions } from '../tables/fields.ts'
import { addPreset } from './preset.ts'
import { removeProperties } from './remove-properties.ts'
import { moveSetting } from './settings.ts'

/**
 * Moves the options of a client into those of `serve`: `new Client({ … })` becomes its options, `client` is spread, and
 * the preset of the former service is set. Adds remarks on other uses of a client.
 *
 * @param source - The file, after its imports were moved.
 */
export function moveClient(source: Source): void {
  const mounted: Node[] = []
  const created: Node[] = []
  walk(source.program, (node) => {
    if (node.type === 'NewExpression' && isImported(source, node['callee'], 'Client')) created.push(node)
    if (node.type !== 'CallExpression' || !isServe(source, node)) return
    mounted.push(...nodesOf(node['arguments']).flatMap(toOptions))
  })
  const done = new Set<Node>()
  for (const node of created) moveNew(source, node, done)
  for (const options of mounted) moveOptions(source, options, done)
  const removed = new Set([...done].filter((property) => whyGone(property) !== undefined))
  removeProperties(source, removed)
  addPreset(source, mounted, removed)
  for (const node of created) checkUses(source, node, done)
}

function isImported({ imported }: Source, node: unknown, name: string): boolean {
  return imported.get(nameOf(node) ?? '') === name
}

/** Matches `serve(…)` and both registration methods of the NestJS module. */
function isServe(source: Source, { callee }: Node): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'MemberExpression') return isImported(source, callee['object'], 'NovuModule')
  return isImported(source, callee, 'serve')
}

/** Returns the options objects. For a factory, these are the objects it returns. */
function toOptions(options: Node): readonly Node[] {
  const factory = nodesOf(options['properties']).find(({ key }) => nameOf(key) === 'useFactory')
  if (!factory) return [options]
  return isNode(factory['value']) ? returnedBy(factory['value']) : returnedBy(factory)
}

function moveNew(source: Source, node: Node, done: Set<Node>): void {
  const [options] = nodesOf(node['arguments'])
  // An object at the start of a statement or arrow body would be parsed as a block.
  const { type } = source.parents.get(node) ?? {}
  const [open, close] = type === 'ArrowFunctionExpression' || type === 'ExpressionStatement' ? ['(', ')'] : ['', '']
  if (!options) return void source.text.update(node.start, node.end, `${open}{}${close}`)
  if (open) source.text.update(node.start, options.start, open)
  else source.text.remove(node.start, options.start)
  if (close) source.text.update(options.end, node.end, close)
  else source.text.remove(options.end, node.end)
  for (const property of propertiesOf(source, options, () => undefined)) {
    if (done.has(property)) continue
    done.add(property)
    if (checkOption(source, property)) continue
    moveSetting(source, property)
  }
}

/** Checks an option, and returns whether it is removed. */
function checkOption(source: Source, property: Node): boolean {
  const why = whyGone(property)
  if (why !== undefined) {
    remark(source, property, why)
    return true
  }
  if (nameOf(property['key']) === 'strictAuthentication' && isFalse(property['value']))
    remark(source, property, 'With false, the bridge accepts unsigned calls. Remove it before production.')
  checkKey(source, property, { allowedNames: bridgeOptions, what: 'serve has no option' })
  return false
}

/** Returns why an option no longer exists. */
function whyGone({ key }: Node): string | undefined {
  const name = nameOf(key) ?? ''
  return Object.hasOwn(goneOptions, name) ? goneOptions[name] : undefined
}

function isFalse(value: unknown): boolean {
  return isNode(value) && value.type === 'BooleanLiteral' && value['value'] === false
}

function moveOptions(source: Source, options: Node, done: Set<Node>): void {
  const onUnknown = (part: Node): void =>
    remark(source, part, 'These options are created elsewhere: if they contain a client, spread it instead, ...client.')
  for (const property of propertiesOf(source, options, onUnknown)) {
    if (done.has(property)) continue
    done.add(property)
    if (checkOption(source, property)) continue
    moveSetting(source, property)
    moveProperty(source, property)
  }
}

function moveProperty({ text }: Source, property: Node): void {
  const { key, value, shorthand } = property
  const name = nameOf(key)
  if (name === 'client' && shorthand) text.update(property.start, property.end, '...client')
  else if (name === 'client' && isNode(value)) text.update(property.start, value.start, '...')
  else if (name === 'apiPath' && isNode(key)) text.update(key.start, key.end, shorthand ? 'path: apiPath' : 'path')
}

const places = ['SpreadElement', 'ExportSpecifier', 'ExportDefaultDeclaration', 'ReturnStatement', 'ClassProperty']

/** Adds remarks on uses of a client other than `serve`: it is now plain options without methods. */
function checkUses(source: Source, creation: Node, done: ReadonlySet<Node>): void {
  const declarator = parentOf(source, creation)
  const name = declarator?.type === 'VariableDeclarator' ? nameOf(declarator['id']) : undefined
  for (const node of name === undefined ? [creation] : usesOf(source, name)) {
    const parent = parentOf(source, node)
    if (!parent || done.has(parent) || [...places, 'ArrowFunctionExpression'].includes(parent.type)) continue
    remark(
      source,
      node,
      'A client is now a plain options object without methods: spread it into the options of serve (...client), and use it nowhere else.',
    )
  }
}
