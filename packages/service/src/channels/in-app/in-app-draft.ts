import { isObject, type JsonObject } from '@trestle/protocol'
import { compact, readText } from '../../json/json.ts'
import type { Draft } from '../base/delivery.ts'

const buttonTypes = [
  ['primaryAction', 'primary'],
  ['secondaryAction', 'secondary'],
] as const

/**
 * Returns the message of an in-app step, which is delivered by being stored.
 *
 * @param outputs - The bridge's translated outputs.
 * @param subscriberId - The subscriber id of the recipient.
 */
export function draftInApp(outputs: JsonObject, subscriberId: string): Draft {
  return {
    columns: {
      subject: readText(outputs['subject']) ?? null,
      content: JSON.stringify(readText(outputs['body']) ?? ''),
      avatar: readText(outputs['avatar']) ?? null,
      cta: JSON.stringify(toCta(outputs)),
      data: isObject(outputs['data']) ? JSON.stringify(outputs['data']) : null,
    },
    recipient: subscriberId,
    warnings: [],
  }
}

/** Returns buttons and redirect in the message format. */
function toCta(outputs: JsonObject): JsonObject {
  const redirect = isObject(outputs['redirect']) ? outputs['redirect'] : undefined
  const buttons = buttonTypes.flatMap(([name, type]) => {
    const action = outputs[name]
    if (!isObject(action)) return []
    const { label, redirect: target } = action
    return [
      compact({
        type,
        content: label,
        url: isObject(target) ? target['url'] : undefined,
        target: isObject(target) ? target['target'] : undefined,
      }),
    ]
  })
  return compact({
    type: redirect ? 'redirect' : undefined,
    data: redirect ? compact({ url: redirect['url'], target: redirect['target'] }) : {},
    action: buttons.length > 0 ? { status: 'pending', buttons } : undefined,
  })
}
