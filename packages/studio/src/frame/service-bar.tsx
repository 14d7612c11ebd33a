import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHeartbeat, useReachable } from '../session/reachable.ts'
import style from './shell.module.css'

/** Reports that the service does not respond, and that the page may be outdated. */
export function ServiceBar(): ReactNode {
  useHeartbeat()
  const isReachable = useReachable()
  return (
    <div role="status">
      {!isReachable && (
        <p className={style['unreachable']}>
          <CloudOff size={15} aria-hidden />
          <span>
            <strong>Service unreachable, retrying…</strong> The page shows previously loaded data.
          </span>
        </p>
      )}
    </div>
  )
}
