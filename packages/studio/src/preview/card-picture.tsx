import { Image } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { safeAddress } from '../ui/markdown/safe-address.ts'
import style from './card.module.css'
import { textOf } from './outputs.ts'

/** What a picture of a card is given. */
export interface CardPictureProps {
  /** The part: its address, and what it shows. */
  readonly part: unknown
  /** Whether it can be loaded from where it is, when a person asks for it. */
  readonly loads: boolean
}

/** Shows the place of a picture. Nothing is asked of another machine before a person wants to see it. */
export function CardPicture({ part, loads }: CardPictureProps): ReactNode {
  const [isWanted, want] = useState(false)
  const [failed, fail] = useState(false)
  const url = textOf(part, 'url')
  const alt = textOf(part, 'alt') ?? ''
  if (isWanted && !failed)
    return (
      <img className={style['image']} src={url} alt={alt} referrerPolicy="no-referrer" onError={() => fail(true)} />
    )
  return (
    <p className={style['picture']} title={url}>
      <Image size={15} aria-hidden /> {alt === '' ? url : alt}
      {failed && ' could not be loaded'}
      {loads && !failed && safeAddress(url) !== undefined && (
        <Button small onClick={() => want(true)}>
          Load image
        </Button>
      )}
    </p>
  )
}
