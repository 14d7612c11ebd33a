import type { DevEvent, DevSession } from '@trestle/cli'

export function startExample(options: {
  readonly port?: number
  readonly onEvent?: (event: DevEvent) => void
}): Promise<{ readonly session: DevSession; readonly bridgeUrl: string }>
