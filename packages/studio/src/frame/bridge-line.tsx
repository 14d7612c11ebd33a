import type { ReactNode } from 'react'
import { useBridge } from '../session/bridge.ts'
import { useReachable } from '../session/reachable.ts'
import style from './side.module.css'

const texts = {
  ok: 'Bridge connected',
  unreachable: 'Bridge unreachable',
  refused: 'Bridge rejected the call',
  'never-synced': 'No bridge yet',
}

/** Shows in one line whether the bridge responds. */
export function BridgeLine(): ReactNode {
  const { data } = useBridge()
  const isReachable = useReachable()
  const status = isReachable ? data?.status : undefined
  return (
    <p className={style['bridge']} data-status={status ?? 'unknown'}>
      <span className={style['dot']} aria-hidden />
      <span>
        {status ? texts[status] : isReachable ? 'Bridge' : 'Service unreachable'}
        {data?.url && <span className={style['address']}>{data.url.replace(/^https?:\/\//, '')}</span>}
      </span>
    </p>
  )
}
