import type { Content } from '../../engine/port/channel-port.ts'
import type { Delivery } from '../base/delivery.ts'

/** Returns a delivery with the texts of its content. */
export function withContent(delivery: Delivery, { outputs, providers, mail }: Content): Delivery {
  return { ...delivery, outputs, providers, ...(mail && { mail }) }
}
