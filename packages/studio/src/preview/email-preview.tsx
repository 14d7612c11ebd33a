import { ImageOff, Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/data/code-block.tsx'
import { Facts } from '../ui/data/facts.tsx'
import { Segments } from '../ui/segments.tsx'
import style from './email-preview.module.css'
import { MailFrame } from './mail-frame.tsx'
import { type Outputs, objectOf, type PreviewProps, textOf } from './outputs.ts'

type View = 'desktop' | 'phone' | 'text' | 'source'

const narrow = '(width < 720px)'
const remoteImage = /<img\b[^>]*\bsrc\s*=\s*["']?\s*(https?:)?\/\/|url\(\s*["']?\s*(https?:)?\/\//i

/** Shows an email: its headers, and its body at desktop or phone width, as text or as source. */
export function EmailPreview({ outputs, mail }: Omit<PreviewProps, 'type'>): ReactNode {
  const [view, setView] = useState<View>(() => (matchMedia(narrow).matches ? 'phone' : 'desktop'))
  const [images, setImages] = useState(false)
  const html = textOf(mail, 'html') ?? textOf(outputs, 'body') ?? ''
  const text = textOf(mail, 'text')
  return (
    <div className={style['mail']}>
      <Facts
        facts={[
          ['Subject', <strong key="subject">{textOf(mail, 'subject') ?? textOf(outputs, 'subject')}</strong>],
          ['From', textOf(mail, 'from') ?? senderOf(outputs)],
          ['To', textOf(mail, 'to')],
          ['Reply to', textOf(mail, 'replyTo') ?? textOf(outputs, 'replyTo')],
          ['Preheader', textOf(outputs, 'preheader')],
        ]}
      />
      <div className={style['bar']}>
        <Segments<View>
          label="Show the email as"
          value={view}
          onChange={setView}
          options={[
            { value: 'desktop', text: <Named icon={<Monitor size={14} />} text="Desktop" /> },
            { value: 'phone', text: <Named icon={<Smartphone size={14} />} text="Phone" /> },
            { value: 'text', text: 'Text' },
            { value: 'source', text: 'HTML' },
          ]}
        />
        {remoteImage.test(html) && !images && (
          <Button small variant="quiet" icon={<ImageOff size={14} />} onClick={() => setImages(true)}>
            Load remote images
          </Button>
        )}
      </div>
      {view === 'desktop' && <MailFrame html={html} images={images} width={720} title="The email at desktop width" />}
      {view === 'phone' && <MailFrame html={html} images={images} width={375} title="The email at phone width" />}
      {view === 'text' && <CodeBlock text={text ?? 'This email has no text part.'} label="the text part of the mail" />}
      {view === 'source' && <CodeBlock text={html} label="the HTML of the mail" />}
    </div>
  )
}

function Named({ icon, text }: { readonly icon: ReactNode; readonly text: string }): ReactNode {
  return (
    <>
      {icon}
      {text}
    </>
  )
}

function senderOf(outputs: Outputs): string | undefined {
  const from = objectOf(outputs, 'from')
  const [name, address] = [textOf(from, 'name'), textOf(from, 'email')]
  return name !== undefined && address !== undefined ? `${name} <${address}>` : (name ?? address)
}
