import type { Warning } from '@trestle/protocol'

const maxShown = 200

/**
 * Creates the warning about a field that was dropped as unknown.
 *
 * @param path - JSON pointer to the field.
 * @param where - A description of the value that contains the field.
 */
export function toDropWarning(path: string, where: string): Warning {
  const quotedPath = JSON.stringify(path.slice(0, maxShown))
  return { code: 'UnknownFieldDropped', message: `The unknown field ${quotedPath} in ${where} was dropped. Remove it.` }
}

/**
 * Creates the warning about an unknown template variable that printed nothing.
 *
 * @param name - The name of the variable.
 * @param where - A description of the owner of the controls.
 */
export function toVariableWarning(name: string, where: string): Warning {
  const quotedName = JSON.stringify(name.slice(0, maxShown))
  const message = `The variable ${quotedName} in a control template of ${where} is unknown and printed nothing. Use payload.${name.slice(0, maxShown)} for a payload field.`
  return { code: 'UnknownVariable', message }
}
