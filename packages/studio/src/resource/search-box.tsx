import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useAddress } from '../session/address.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import style from './resource.module.css'

const typingMs = 250
/** The service accepts no longer search. */
const maxLength = 200

/** Props of a list's search box. */
export interface SearchBoxProps {
  /** The accessible label, such as `Search contexts`. */
  readonly label: string
  readonly placeholder: string
}

/** Searches a list. */
export function SearchBox(props: SearchBoxProps): ReactNode {
  return (
    <search className={style['search']} aria-label={props.label}>
      <SearchInput {...props} />
    </search>
  )
}

/** The field of a search. The text is written to the URL parameter `search` after a short pause. */
export function SearchInput({ label, placeholder }: SearchBoxProps): ReactNode {
  const { get, choose } = useAddress()
  const chosen = get('search') ?? ''
  const [typed, setTyped] = useState(chosen)
  useEffect(() => setTyped(chosen), [chosen])
  useEffect(() => {
    if (typed === chosen) return
    const timer = setTimeout(() => choose({ search: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, chosen, choose])
  return (
    <TextField
      label={label}
      hideLabel
      type="search"
      placeholder={placeholder}
      icon={<Search size={14} />}
      maxLength={maxLength}
      value={typed}
      onChange={setTyped}
    />
  )
}
