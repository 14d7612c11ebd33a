import { isNode, type Node, nodesOf, type Source } from '../syntax/source.ts'

/** Removes properties and their commas from the objects that contain them. Comments are kept. */
export function removeProperties(source: Source, removed: ReadonlySet<Node>): void {
  const objects = new Set([...removed].map((property) => source.parents.get(property)).filter(isNode))
  for (const object of objects) removeFrom(source, object, removed)
}

function removeFrom(source: Source, object: Node, removed: ReadonlySet<Node>): void {
  const { text } = source
  const properties = nodesOf(object['properties'])
  const commas = properties.map(({ end }, index) => findComma(source, end, properties[index + 1]?.start ?? object.end))
  const lastKept = properties.findLastIndex((property) => !removed.has(property))
  for (const [index, property] of properties.entries()) {
    if (removed.has(property)) text.remove(property.start, property.end)
    const comma = commas[index]
    // The last one that is kept has a comma after it only if the last one of all had one.
    const isKept = index === lastKept ? commas.at(-1) !== undefined : index < lastKept && !removed.has(property)
    if (comma === undefined || (isKept && index !== lastKept)) continue
    const next = properties[index + 1]
    const isAdjacent = next !== undefined && text.original.slice(comma + 1, next.start).trim() === ''
    text.remove(isKept ? comma + 1 : comma, isAdjacent ? next.start : comma + 1)
  }
}

/** Returns the position of a comma outside comments. */
function findComma({ text, comments }: Source, start: number, end: number): number | undefined {
  const isComment = (at: number): boolean => comments.some((comment) => comment.start <= at && at < comment.end)
  for (let at = start; at < end; at++) if (text.original[at] === ',' && !isComment(at)) return at
  return undefined
}
