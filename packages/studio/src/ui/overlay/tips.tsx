import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { followTips, type ShownTip } from './follow-tips.ts'

// Not part of the initial bundle, because it positions popups.
const TipPopup = lazy(() => import('./tip-popup.tsx'))

/**
 * Shows the `data-tip` attributes of elements as tooltips. A tooltip repeats or explains what the page already tells
 * screen readers, such as the label of a button with only an icon.
 */
export function Tips(): ReactNode {
  const [tip, show] = useState<ShownTip | undefined>(undefined)
  const [wasShown, noteShown] = useState(false)
  useEffect(
    () =>
      followTips((next) => {
        show(next)
        if (next) noteShown(true)
      }),
    [],
  )
  return <Suspense>{wasShown && <TipPopup tip={tip} />}</Suspense>
}
