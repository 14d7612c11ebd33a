import { addUse, answerOf, header, listOperations, printSchemas } from './client.mjs'
import { printType } from './types.mjs'

/** Returns the files of the studio, as texts by name: the types of everything that servers and the studio can read. */
export function generateStudio(document) {
  const used = new Set()
  for (const operation of listOperations(document)) {
    const answer = answerOf(operation)
    if (answer) printType(answer, 'received', used)
  }
  const uses = new Map()
  for (const name of used) addUse(uses, name, 'received')
  const object =
    '/** A JSON object whose fields are not specified. */\nexport type JsonObject = Readonly<Record<string, unknown>>\n'
  return { 'resources.ts': `${header}${object}\n${printSchemas(document, uses)}` }
}
