import { Image } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { safeAddress } from '../ui/markdown/safe-address.ts'
import style from './card.module.css'
import { textOf } from './outputs.ts'

export interface CardPictureProps {
  /** The image part of the card, with its URL and description. */
  readonly part: unknown
  /** Whether the image can be loaded from its URL on request. */
  readonly loads: boolean
}

/** Shows a placeholder for an image, which is loaded only on request. */
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
    <p className={style['picture']} data-tip={url}>
      <Image size={15} aria-hidden /> {failed && "Couldn't load "}
      {alt === '' ? url : alt}
      {loads && !failed && safeAddress(url) !== undefined && (
        <Button small onClick={() => want(true)}>
          Load image
        </Button>
      )}
    </p>
  )
}
