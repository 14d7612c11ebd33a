import { Tooltip } from '@base-ui/react/tooltip'
import { type ReactNode, useRef } from 'react'
import { mainElement } from '../main-element.ts'
import type { ShownTip } from './follow-tips.ts'
import style from './tip-popup.module.css'

/** The popup of a tooltip. */
export default function TipPopup({ tip }: { readonly tip: ShownTip | undefined }): ReactNode {
  // The text stays while the popup fades out.
  const last = useRef(tip)
  if (tip) last.current = tip
  return (
    <Tooltip.Root open={tip !== undefined} disableHoverablePopup>
      <Tooltip.Portal container={mainElement() ?? undefined}>
        <Tooltip.Positioner
          className={style['positioner']}
          anchor={last.current?.anchor ?? null}
          sideOffset={6}
          collisionPadding={8}
        >
          <Tooltip.Popup className={style['popup']}>{last.current?.text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
