import { compileGlob } from '../sandbox/glob.ts'

/** Folders of version control, dependencies, caches and build results: large, and seldom what a search is about. */
const FOLDERS: ReadonlySet<string> = new Set([
  ...[
    '.git',
    '.svn',
    '.hg',
    '.bzr',
    'node_modules',
    'site-packages',
    '.venv',
    'venv',
    'env',
    '.env',
    '.tox',
    '.nox',
    '.eggs',
  ],
  ...[
    '__pycache__',
    '.pytest_cache',
    '.mypy_cache',
    '.ruff_cache',
    '.cache',
    '.idea',
    '.vscode',
    '.next',
    '.nuxt',
    '.turbo',
  ],
  ...['dist', 'build', 'out', 'target', 'logs', 'coverage', 'htmlcov', '.nyc_output', '.output'],
])

const isIgnoredFile = compileGlob('{*.log,*.tmp,*.temp,*.bak,*.swp,*.swo,*~,.DS_Store,Thumbs.db,.env,.coverage}')

export const isIgnoredFolder = (name: string): boolean => FOLDERS.has(name)

export const isIgnored = (name: string, kind: string): boolean =>
  kind === 'folder' ? isIgnoredFolder(name) : isIgnoredFile?.([name]) === true

/** Whether a pattern asks for a name in so many words: a part of it that is more than stars fits. */
export const asksFor = (pattern: string): ((name: string) => boolean) => {
  const tests = pattern
    .split('/')
    .filter((part) => /[^*?.]/.test(part))
    .map((part) => compileGlob(part))
  return (name) => tests.some((test) => test?.([name]) === true)
}
