import { describe, expect, it } from 'vitest'
import { programFiles, withFolders } from './search-path.ts'

describe('withFolders', () => {
  it('keeps the path of Windows, whose name has another case', () => {
    const env = { Path: 'C:\\Windows', Other: 'x' }
    expect(withFolders(env, ['D:\\app\\.bin'], 'win32')).toEqual({ Path: 'D:\\app\\.bin;C:\\Windows', Other: 'x' })
  })

  it('keeps other variables of other systems, whose names are case-sensitive', () => {
    const env = { Path: 'mine', PATH: '/usr/bin' }
    expect(withFolders(env, ['/app/.bin'], 'linux')).toEqual({ Path: 'mine', PATH: '/app/.bin:/usr/bin' })
  })
})

describe('programFiles', () => {
  it('tries each extension of a program on Windows', () => {
    const env = { Path: 'C:\\one;;D:\\two', PathExt: '.EXE;.CMD' }
    const files = ['C:\\one\\ngrok.EXE', 'C:\\one\\ngrok.CMD', 'D:\\two\\ngrok.EXE', 'D:\\two\\ngrok.CMD']
    expect(programFiles('ngrok', env, 'win32')).toEqual(files)
    expect(programFiles('ngrok', { PATH: 'C:\\one' }, 'win32')).toContain('C:\\one\\ngrok.EXE')
  })

  it('adds no extension on other systems', () => {
    expect(programFiles('ngrok', { PATH: '/bin::/usr/bin', PATHEXT: '.EXE' }, 'linux')).toEqual([
      '/bin/ngrok',
      '/usr/bin/ngrok',
    ])
    expect(programFiles('ngrok', {}, 'linux')).toEqual([])
  })
})
